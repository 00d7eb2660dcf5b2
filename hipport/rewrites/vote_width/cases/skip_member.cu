struct Set { bool any() const; bool __any(int) const; };
bool host(const Set& s) { return s.any() || s.__any(1); }
