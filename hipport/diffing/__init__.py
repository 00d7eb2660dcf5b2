"""Whether two sides of a port give the same: cases, contracts, gates, recordings and verdicts.

    from hipport.diffing.compare import compare
    from hipport.diffing.contract import Contract
    compare({"y": Tensor.of(port)}, {"y": Tensor.of(original)}, Contract.named("strict-f32", length=1024)).kind

`judge.judge(case, original, port)` runs a case's points on two sides (side.Side) and gives a Judged; what the command
line and tests call is hipport.api.verify.
"""
