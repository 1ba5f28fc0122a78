module structs_by_value
  use iso_c_binding
  implicit none
  type, bind(C) :: dd
    real(c_double) :: a, b
  end type
  type, bind(C) :: ddd
    real(c_double) :: a, b, c
  end type
  type, bind(C) :: ff
    real(c_float) :: a, b
  end type
  type, bind(C) :: di
    real(c_double) :: a
    integer(c_int) :: n
  end type
  type, bind(C) :: d1
    real(c_double) :: v
  end type
contains
  real(c_double) function f_dd(s) bind(C)
    type(dd), value :: s
    f_dd = s%a * s%b**2
  end function
  real(c_double) function f_ddd(s) bind(C)
    type(ddd), value :: s
    f_ddd = s%a * s%b**2 + s%c
  end function
  real(c_double) function f_ff(s) bind(C)
    type(ff), value :: s
    f_ff = s%a * s%b
  end function
  real(c_double) function f_di(s) bind(C)
    type(di), value :: s
    f_di = s%a ** s%n
  end function
  real(c_double) function f_d1(s) bind(C)
    type(d1), value :: s
    f_d1 = s%v ** 2
  end function
  type(dd) function f_mk_dd(a) bind(C)
    real(c_double), value :: a
    f_mk_dd = dd(a, a * a)
  end function
end module
