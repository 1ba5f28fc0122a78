"""LLVM through llvmlite: merge, optimise, verify and emit modules. The only package that imports llvmlite."""
