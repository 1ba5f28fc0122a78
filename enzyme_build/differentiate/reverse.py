def build_combined(*a): raise NotImplementedError
def build_split(*a, **k): raise NotImplementedError
