float expected(int i) { return 2.0f * i; }
