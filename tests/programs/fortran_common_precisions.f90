! check: array n=6 range=0.3:1.2 tol=5e-3 identity=1e-5 step=1e-2
! A COMMON block with numbers of two precisions and counts between them, all used at indices.
module commons
  use iso_c_binding
contains
  subroutine setup(x, n)
    integer(c_int), intent(in) :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: t, rate(4), area
    real(4) :: gain, bias(3)
    integer :: step, kind(5)
    common /state/ t, rate, step, gain, bias, kind, area
    integer :: i
    t = 0.0d0
    step = 0
    area = x(1)*x(2)
    gain = real(x(3), 4)*1.5
    do i = 1, 3
      bias(i) = real(x(i + 1), 4)*0.25
      rate(i) = x(i)*0.5d0 + i
      kind(i) = mod(i, 2)
    end do
    rate(4) = 1.0d0
    kind(4:5) = 1
  end subroutine
  subroutine advance(dt)
    real(8), intent(in) :: dt
    real(8) :: t, rate(4), area
    real(4) :: gain, bias(3)
    integer :: step, kind(5)
    common /state/ t, rate, step, gain, bias, kind, area
    integer :: i
    step = step + 1
    t = t + dt
    do i = 1, 4
      if (kind(i) == 1) then
        rate(i) = rate(i) + dt*gain*sin(rate(i) + area)
      else
        rate(i) = rate(i)*exp(-dt*bias(min(i, 3)))
      end if
    end do
    gain = gain*0.98 + 0.01*bias(1)
    if (step == 3) bias(2) = bias(2) + real(rate(1), 4)*0.1
  end subroutine
  function objective(x, n) result(y) bind(C)
    real(c_double), intent(in) :: x(*)
    integer(c_int), value :: n
    real(c_double) :: y
    real(8) :: t, rate(4), area
    real(4) :: gain, bias(3)
    integer :: step, kind(5)
    common /state/ t, rate, step, gain, bias, kind, area
    integer :: k
    call setup(x, n)
    do k = 1, 8
      call advance(0.05d0*x(n))
    end do
    y = sum(rate) + gain*area + sum(bias) + t
  end function
end module
