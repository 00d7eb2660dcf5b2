"""AMD machine code on the CPU: the target's assembly -> C -> a shared object that runs waves."""
