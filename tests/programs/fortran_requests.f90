! check: main
! Requests by `use enzyme`: arguments by reference, results in memory, options, a derivative of a derivative, arrays that
! are passed by descriptors through an interface of the program's own.
module functions
  use enzyme
  implicit none
  type parameters
    real(8) :: k
    integer :: power
    real(8), allocatable :: weights(:)
  end type
  real(8) :: gain = 2
contains
  real(8) function loss(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    loss = gain * x(1) * sum(x**2)
  end function
  subroutine waves(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(*)
    real(8), intent(out) :: y
    y = sum(sin(x(1:n)))
  end subroutine
  subroutine doubled(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    x = x * x
  end subroutine
  real(8) function power(a, k) bind(C)
    real(8), value :: a
    integer, value :: k
    power = a**k
  end function
  subroutine product_of(a, b, y) bind(C)
    real(8), value :: a
    real(8), intent(in) :: b
    real(8), intent(out) :: y
    y = a * b
  end subroutine
  real(4) function area(name, x, negative)
    character(*), intent(in) :: name
    real(4), intent(in) :: x(2)
    logical, intent(in) :: negative
    area = x(1) * x(2) * len(name)
    if (negative) area = -area
  end function
  complex(8) function squared(z)
    complex(8), intent(in) :: z
    squared = z * z
  end function
  real(8) function weighted(p, x)
    type(parameters), intent(in) :: p
    real(8), intent(in) :: x
    weighted = p%k**p%power * x * sum(p%weights)
  end function
  integer function steps(x)
    real(8), intent(inout) :: x
    x = x * x
    steps = 2
  end function
  subroutine gradient(x, g, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: g(n)
    g = 0
    call enzyme_autodiff(loss, x, g, n)
  end subroutine
  real(8) function total(x)
    real(8), intent(in) :: x(:)
    total = sum(x**3)
  end function
  subroutine of_argument(proc, x, x_bar, n)
    external :: proc
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), x_bar(n)
    call enzyme_autodiff(proc, x, x_bar, n)
  end subroutine
  subroutine expect(what, found, wanted)
    character(*), intent(in) :: what
    real(8), intent(in) :: found(:), wanted(:)
    if (all(abs(found - wanted) < 1d-12)) return
    print *, 'FAIL ', what, ': ', found, ' instead of ', wanted
    stop 1
  end subroutine
end module

program requests
  use functions
  implicit none
  interface
    subroutine total__enzyme_autodiff(proc, x, x_bar)
      external :: proc
      real(8) :: x(:), x_bar(:)
    end subroutine
  end interface
  real(8), parameter :: slope(3) = [32d0, 8d0, 12d0]
  call reverse_mode
  call forward_mode
  call other_types
  call descriptors
  call of_a_host([1d0, 2d0, 3d0], 5d0)
contains
  subroutine reverse_mode
    real(8) :: x(3), x_bar(3), y, y_bar
    integer :: n
    n = 3
    x = [1d0, 2d0, 3d0]
    x_bar = 0
    call enzyme_autodiff(loss, x, x_bar, n)
    call expect('without markers', x_bar, slope)
    call enzyme_autodiff(loss, enzyme_dup, x, x_bar, enzyme_const, n)
    call expect('with markers, added to', x_bar, 2 * slope)
    x_bar = 0
    y_bar = 3
    call enzyme_autodiff(loss, x, x_bar, 3, y, y_bar)
    call expect('value and adjoint of the result', [x_bar, y, y_bar], [3 * slope, 28d0, 0d0])
    x_bar = 0
    y_bar = -1
    call enzyme_autodiff(loss, x, x_bar, 3, y_bar)
    call expect('adjoint of the result', x_bar, -slope)
    x_bar = 0
    call enzyme_autodiff(loss, enzyme_seed, 0.5d0, x, x_bar, 3)
    call expect('seed', x_bar, slope / 2)
    x_bar = 0
    call of_argument(loss, x, x_bar, n)
    call expect('procedure of the caller''s', x_bar, slope)
    x_bar = 0
    y_bar = 2
    call enzyme_autodiff(waves, x, x_bar, size(x), y, y_bar)
    call expect('subroutine', [x_bar, y, y_bar], [2 * cos(x), sum(sin(x)), 0d0])
    x_bar = 1
    call enzyme_autodiff(doubled, x, x_bar, n)
    call expect('changed in place', [x, x_bar], [1d0, 4d0, 9d0, 2d0, 4d0, 6d0])
    x = [1d0, 2d0, 3d0]
    x_bar = 0
    call enzyme_autodiff(contained, x, x_bar)
    call expect('internal procedure', x_bar, [6d0, 3d0, 2d0])
  end subroutine
  real(8) function contained(v)
    real(8), intent(in) :: v(3)
    contained = product(v)
  end function
  subroutine forward_mode
    real(8) :: x(3), first(3), second(3), both(3, 2), y, y_dot, y_dot2, g(3), hv(3)
    x = [1d0, 2d0, 3d0]
    first = [1d0, 0d0, 0d0]
    second = [0d0, 1d0, 1d0]
    call enzyme_fwddiff(loss, x, first, 3, y_dot)
    call expect('tangent', [y_dot], [32d0])
    call enzyme_fwddiff(loss, x, second, 3, y, y_dot)
    call expect('value and tangent', [y, y_dot], [28d0, 20d0])
    call enzyme_fwddiff(loss, enzyme_width, 2, x, first, second, 3, y, y_dot, y_dot2)
    call expect('two directions', [y, y_dot, y_dot2], [28d0, 32d0, 20d0])
    both = reshape([first, second], [3, 2])
    call enzyme_fwddiff(loss, enzyme_width, 2, enzyme_dupv, 24, x, both, 3, y_dot, y_dot2)
    call expect('directions in one array', [y_dot, y_dot2], [32d0, 20d0])
    call enzyme_fwddiff(waves, x, first, 3, y, y_dot)
    call expect('tangent of an argument', [y_dot], [cos(1d0)])
    call enzyme_fwddiff(gradient, x, first, g, hv, 3)
    call expect('Hessian times vector', [g, hv], [slope, 12d0, 8d0, 12d0])
  end subroutine
  subroutine other_types
    real(8) :: a, a_bar, y, y_dot, w_dot, x, x_bar
    real(4) :: s(2), s_bar(2)
    complex(8) :: z, z_bar, w, w_bar
    type(parameters) :: p, p_bar
    integer :: count
    a = 2
    a_bar = 0
    call enzyme_autodiff(power, a, a_bar, 3)
    call expect('passed by value', [a_bar], [12d0])
    call enzyme_fwddiff(power, enzyme_dup, a, 0.5d0, 3, y, y_dot)
    call expect('passed by value, tangent', [y, y_dot], [8d0, 6d0])
    x = 5
    x_bar = 0
    a_bar = 0
    y_dot = 3
    call enzyme_autodiff(product_of, a, a_bar, x, x_bar, y, y_dot)
    call expect('passed by value to a subroutine', [a_bar, x_bar, y, y_dot], [15d0, 6d0, 10d0, 0d0])
    call enzyme_fwddiff(product_of, a, 1d0, enzyme_const, x, y, y_dot)
    call expect('passed by value to a subroutine, tangent', [y, y_dot], [10d0, 5d0])
    a_bar = 0
    x_bar = 0
    y_dot = 1
    w_dot = -2
    call enzyme_autodiff(product_of, enzyme_width, 2, a, a_bar, x_bar, enzyme_const, x, y, y_dot, w_dot)
    call expect('two adjoints of one passed by value', [a_bar, x_bar], [5d0, -10d0])
    s = [2., 3.]
    s_bar = 0
    call enzyme_autodiff(area, 'four', s, s_bar, .true.)
    call expect('single precision, character and logical', real(s_bar, 8), [-12d0, -8d0])
    z = (1d0, 2d0)
    z_bar = 0
    w_bar = 1
    call enzyme_autodiff(squared, z, z_bar, w, w_bar)
    call expect('complex', [real(z_bar), aimag(z_bar), real(w), aimag(w)], [2d0, -4d0, -3d0, 4d0])
    p = parameters(2d0, 3, [1d0, 2d0])
    p_bar = parameters(0d0, 0, [0d0, 0d0])
    x = 3
    x_bar = 0
    call enzyme_autodiff(weighted, p, p_bar, x, x_bar)
    call expect('derived type', [p_bar%k, p_bar%weights, x_bar], [108d0, 24d0, 24d0, 24d0])
    x_bar = 1
    call enzyme_autodiff(steps, x, x_bar, count)
    call expect('integer result', [x, x_bar, real(count, 8)], [9d0, 6d0, 2d0])
  end subroutine
  subroutine of_a_host(weights, factor)
    real(8), intent(in) :: weights(:), factor
    real(8) :: x(3), x_bar(3), value, value_dot
    integer :: calls
    calls = 0
    x = [1d0, 2d0, 3d0]
    x_bar = 0
    call enzyme_autodiff(weighted_sum, 'four', x, x_bar)
    call expect('variables of the host', x_bar, 4 * 5 * 2 * weights * x)
    call enzyme_fwddiff(weighted_sum, 'one', x, [1d0, 0d0, 1d0], value, value_dot)
    call expect('variables of the host', [value, value_dot, real(calls, 8)], [540d0, 300d0, 2d0])
  contains
    real(8) function weighted_sum(name, v)
      character(*), intent(in) :: name
      real(8), intent(in) :: v(3)
      calls = calls + 1
      weighted_sum = scaled(sum(weights * v**2)) * len(name)
    end function
    real(8) function scaled(a)
      real(8), intent(in) :: a
      scaled = factor * a
    end function
  end subroutine
  subroutine descriptors
    real(8) :: x(4), x_bar(4)
    real(8), allocatable :: a(:), a_bar(:)
    x = [1d0, 2d0, 3d0, 4d0]
    x_bar = 0
    call total__enzyme_autodiff(total, x(::2), x_bar(::2))
    call expect('assumed shape', x_bar, [3d0, 0d0, 27d0, 0d0])
    allocate(a(3), a_bar(3))
    a = [1d0, 2d0, 3d0]
    a_bar = 0
    call enzyme_autodiff(loss, a, a_bar, size(a))
    call expect('allocatable', a_bar, slope)
  end subroutine
end program
