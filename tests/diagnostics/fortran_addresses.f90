module functions
  use enzyme
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine behind_address(address, x)
    type(c_ptr), value :: address
    real(8), intent(inout) :: x
    real(8), pointer :: target
    call c_f_pointer(address, target)
    x = x * target
  end subroutine
  subroutine of_any_type(work, x)
    type(*), intent(in) :: work(*)
    real(8), intent(inout) :: x
    interface
      real(8) function first(work) bind(C)
        type(*), intent(in) :: work(*)
      end function
    end interface
    x = x * first(work)
  end subroutine
  real(8) function first(work) bind(C)
    real(8), intent(in) :: work(*)
    first = work(1)
  end function
  subroutine host(x, x_bar, factor)
    real(8), intent(inout) :: x(3), x_bar(3), factor
    real(8) :: scratch
    call enzyme_autodiff(inner, x, x_bar)
    print *, scratch
  contains
    real(8) function inner(v)
      real(8), intent(in) :: v(3)
      scratch = factor * product(v)
      inner = scratch**2
    end function
  end subroutine
end module

program addresses
  use functions
  implicit none
  real(8), target :: x(3) = 1, x_bar(3) = 0, y = 2, y_bar = 0
  call enzyme_autodiff(behind_address, c_loc(y), x(1), x_bar(1))
  call enzyme_autodiff(behind_address, enzyme_dup, c_loc(y), c_loc(y_bar), x(1), x_bar(1))
  call enzyme_autodiff(of_any_type, x, x(1), x_bar(1))
  call host(x, x_bar, y)
  print *, x_bar
end program
