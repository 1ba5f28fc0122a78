! The method of Broyden, Fletcher, Goldfarb and Shanno with limited memory, for any function with a gradient.
module lbfgs
  implicit none
  abstract interface
    subroutine value_and_gradient(x, value, gradient)
      real(8), intent(in) :: x(:)
      real(8), intent(out) :: value, gradient(:)
    end subroutine
  end interface
  type, private :: pair
    real(8), allocatable :: s(:), y(:)
  end type
  integer, parameter, private :: memory = 12
contains
  subroutine minimise(f, x, steps, tolerance)
    procedure(value_and_gradient) :: f
    real(8), intent(inout) :: x(:)
    integer, intent(inout) :: steps  ! at most; those taken on return
    real(8), intent(in) :: tolerance
    type(pair), allocatable :: pairs(:)
    real(8), dimension(size(x)) :: g, trial_g, direction, trial
    real(8) :: value, trial_value, t, slope
    integer :: k
    allocate(pairs(0))
    call f(x, value, g)
    do k = 1, steps
      if (norm2(g) < tolerance) exit
      direction = -times_inverse(pairs, g)
      slope = dot_product(direction, g)
      t = merge(1d0, 1 / norm2(g), size(pairs) > 0)
      do
        trial = x + t * direction
        call f(trial, trial_value, trial_g)
        if (trial_value <= value + 1d-4 * t * slope .or. t < 1d-14) exit
        t = t / 2
      end do
      if (dot_product(trial - x, trial_g - g) > 0) then
        if (size(pairs) == memory) pairs = pairs(2:)
        pairs = [pairs, pair(trial - x, trial_g - g)]
      end if
      x = trial
      g = trial_g
      value = trial_value
    end do
    steps = k - 1
  end subroutine

  function times_inverse(pairs, g) result(d)
    type(pair), intent(in) :: pairs(:)
    real(8), intent(in) :: g(:)
    real(8) :: d(size(g)), a(size(pairs))
    integer :: i
    d = g
    do i = size(pairs), 1, -1
      a(i) = dot_product(pairs(i)%s, d) / dot_product(pairs(i)%s, pairs(i)%y)
      d = d - a(i) * pairs(i)%y
    end do
    if (size(pairs) > 0) then
      associate (last => pairs(size(pairs)))
        d = d * dot_product(last%s, last%y) / dot_product(last%y, last%y)
      end associate
    end if
    do i = 1, size(pairs)
      d = d + (a(i) - dot_product(pairs(i)%y, d) / dot_product(pairs(i)%s, pairs(i)%y)) * pairs(i)%s
    end do
  end function
end module
