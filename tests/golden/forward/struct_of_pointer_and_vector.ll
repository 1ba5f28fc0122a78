; An active pointer put into a struct whose vector is constant: the vector's lanes have no tangents.
; DIFFERENTIATE: forward @f(dup, const)
; VALUE: ([3.0, 2.0], [1.0, 0.5], 1) -> (2.0, [1.0, 0.5])
define double @f(ptr %x, i64 %k) {
  %c = icmp eq i64 %k, 0
  %v = insertelement <2 x double> <double 0.5, double 0.25>, double 2.0, i64 %k
  %empty = insertvalue { ptr, <2 x double> } zeroinitializer, <2 x double> %v, 1
  %other = insertvalue { ptr, <2 x double> } %empty, ptr null, 0
  %chosen = select i1 %c, { ptr, <2 x double> } %empty, { ptr, <2 x double> } %other
  %both = insertvalue { ptr, <2 x double> } %chosen, ptr %x, 0
  %p = extractvalue { ptr, <2 x double> } %both, 0
  %w = extractvalue { ptr, <2 x double> } %both, 1
  %a = load double, ptr %p, align 8
  %b = extractelement <2 x double> %w, i64 1
  %r = fmul double %a, %b
  ret double %r
}
