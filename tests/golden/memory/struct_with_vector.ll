; A struct with a vector in it, loaded and stored as a whole.
; DIFFERENTIATE: reverse @f(dup, dup)
; VALUE: ([1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 10.0, 20.0]) -> ([1.0, 0.0, 30.0, 20.0], [0.0, 0.0, 0.0, 0.0])
define void @f(ptr noalias %x, ptr noalias %y) {
  %all = load { double, <2 x double> }, ptr %x, align 16
  %v = extractvalue { double, <2 x double> } %all, 1
  %w = fmul <2 x double> %v, <double 3.0, double 1.0>
  %new = insertvalue { double, <2 x double> } %all, <2 x double> %w, 1
  store { double, <2 x double> } %new, ptr %y, align 16
  ret void
}
