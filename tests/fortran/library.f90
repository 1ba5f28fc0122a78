! Everything that has a body of ours, in all shapes; what it prints must be what flang's own library prints.
module library_types
  implicit none
  type :: leaf
    real(8) :: v = 1.5d0
    integer :: k = 3
    character(len=3) :: name = 'abc'
    complex(8) :: z = (1d0, 2d0)
    logical :: flag = .true.
    real(4) :: many(7) = 0.5
  end type
  type, extends(leaf) :: branch
    real(8), allocatable :: w(:, :)
    type(leaf) :: leaves(2)
    type(leaf), allocatable :: more(:)
    real(8), pointer :: p(:) => null()
    character(len=:), allocatable :: text
  end type
contains
  subroutine show(title, b)
    character(len=*), intent(in) :: title
    class(leaf), intent(in) :: b
    print *, title, b%v, b%k, b%name, b%z, b%flag, sum(b%many)
    select type (b)
    type is (branch)
      print *, allocated(b%w), allocated(b%more), associated(b%p), allocated(b%text), b%leaves(2)%v, b%leaves(1)%name
      if (allocated(b%w)) print *, lbound(b%w), ubound(b%w), b%w
      if (allocated(b%more)) print *, size(b%more), b%more%v
      if (allocated(b%text)) print *, b%text
    end select
  end subroutine
end module
module library_procedures
  implicit none
  integer :: ended = 0
  type :: counted
    real(8), allocatable :: v(:)
    integer :: copies = 0
  contains
    procedure, private :: copy
    generic :: assignment(=) => copy
    final :: finish
  end type
  type :: counters
    type(counted) :: one, many(2)
    type(counted), allocatable :: more
  end type
  type, extends(counted) :: labelled
    integer :: label = 4
  contains
    final :: finish_labelled
  end type
contains
  impure elemental subroutine copy(self, other)
    class(counted), intent(inout) :: self
    class(counted), intent(in) :: other
    if (allocated(other%v)) self%v = 2 * other%v
    self%copies = other%copies + 1
  end subroutine
  subroutine finish(self)
    type(counted), intent(inout) :: self
    ended = ended + 1
  end subroutine
  subroutine finish_labelled(self)
    type(labelled), intent(inout) :: self
    ended = ended + 100
  end subroutine
  subroutine scope()
    type(counters) :: a, b
    type(labelled), allocatable :: l
    class(counted), allocatable :: c, d
    allocate(a%one%v(2), a%more)
    a%one%v = [1, 2]
    a%many(2)%copies = 7
    b = a
    print *, b%one%v, b%one%copies, b%many%copies, b%more%copies, ended
    allocate(l)
    l%v = [3d0]
    allocate(c, source=l)
    allocate(d, source=c)
    print *, d%v, d%copies, ended
    deallocate(c)
    print *, ended
    b = counters(a%one, a%many)
    print *, b%one%v, b%one%copies, b%many%copies, allocated(b%more), ended
  end subroutine
  pure function larger(a, b) result(c)
    real(8), intent(in) :: a, b
    real(8) :: c
    c = max(a, 2 * b)
  end function
  subroutine ranks(a)
    real(8), intent(in) :: a(..)
    select rank (a)
    rank (0)
      print *, 'scalar', a
    rank (1)
      print *, 'vector', lbound(a), a
    rank (2)
      print *, 'matrix', shape(a), a(2, :)
    end select
  end subroutine
end module
module library_cases
  use library_types
  use library_procedures
  implicit none
contains
  subroutine assignments(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: a(:), b(:), c(:, :)
    real(4), allocatable :: s(:)
    integer, allocatable :: i(:)
    complex(8), allocatable :: z(:)
    character(len=:), allocatable :: t
    character(len=4), allocatable :: words(:)
    type(branch) :: u, v
    class(leaf), allocatable :: poly, other
    type(branch), allocatable :: bs(:), cs(:)
    a = x
    print *, lbound(a), ubound(a), a
    a = a(size(a):1:-1)
    print *, a
    a(2:) = a(:size(a) - 1)
    print *, a
    a(1:2) = a(2:3)
    print *, a
    allocate(b(-1:3))
    b = 7
    print *, lbound(b), b
    b = [b, a(1:2)]
    print *, lbound(b), size(b), b
    a = b(1:0)
    print *, size(a)
    c = reshape(b(1:6), [2, 3])
    c = c(:, 2:3)
    print *, shape(c), c
    s = real(b)
    i = int(b)
    z = cmplx(b, -b, 8)
    print *, s, i, z
    t = 'abc'
    t = t // 'defg'
    print *, t, len(t)
    words = ['one ', 'four']
    words(1) = words(2)(1:2)
    print *, words
    allocate(u%w(2, 0:1))
    u%w = 2.5d0
    u%text = 'hello'
    allocate(u%more(2))
    u%more(2)%v = 9
    allocate(u%p(3))
    u%p = 1
    u%leaves(2)%v = 4
    v = u
    u%w = 0
    u%more(2)%v = 0
    call show('v', v)
    call show('u', u)
    v = branch(w=reshape([1d0, 2d0], [1, 2]), leaves=[leaf(), leaf(v=8d0)])
    call show('w', v)
    bs = [u, v]
    cs = bs
    bs(1)%v = -1
    cs = cs(2:1:-1)
    print *, cs%v, cs(1)%w, allocated(cs(2)%text)
    deallocate(u%p)
    allocate(poly, source=v)
    call show('p', poly)
    other = poly
    call show('o', other)
    poly = leaf(v=3d0)
    call show('l', poly)
    call move_alloc(other, poly)
    call show('m', poly)
    print *, allocated(other)
    deallocate(poly)
  end subroutine
  subroutine reductions(x, m)
    real(8), intent(in) :: x(:), m(:, :)
    logical :: mask(size(m, 1), size(m, 2))
    integer :: k(size(x))
    complex(8) :: z(size(x))
    real(4) :: s(size(x))
    mask = m > 0.4d0
    k = int(10 * x)
    z = cmplx(x, 1 - x, 8)
    s = real(x)
    print '(5es20.12)', sum(x), product(x), maxval(x), minval(x), norm2(x), dot_product(x, x)
    print '(5es20.12)', sum(m), sum(m, mask), sum(m, .false.), sum(m(:, ::2)), product(m, mask), maxval(m, mask), minval(m)
    print '(5es20.12)', sum(m, 1), sum(m, 2), sum(m, 1, mask), product(m, 2), maxval(m, 1, mask), minval(m, 2, mask)
    print '(5es20.12)', norm2(m), norm2(m(2:1, :)), norm2([1d-200, 2d-200]) * 1d200, norm2([3d200, 4d200]) * 1d-200
    print *, maxloc(x), minloc(x), maxloc(m), minloc(m, mask), maxloc(x, x > 100), maxloc([1d0, 1d0], back=.true.)
    print *, sum(k), product(k), maxval(k), minval(k), dot_product(k, k), maxval(k, k > 100), all(k > 0), count(mask)
    print '(5es20.12)', sum(z), product(z), dot_product(z, z)
    print '(5es14.6)', sum(s), product(s), maxval(s), norm2(s), dot_product(s, s)
    print *, any(mask, 1), all(mask, 2), count(mask, 1), sum(x(1:0)), maxval(x(1:0)) < -1d300
  end subroutine
  subroutine transformations(x, m)
    real(8), intent(in) :: x(:), m(:, :)
    real(8), allocatable :: t(:, :), c(:, :, :)
    integer :: k(size(x))
    logical :: mask(size(x))
    character(len=3) :: words(3)
    type(leaf) :: leaves(3), moved(3)
    k = int(10 * x)
    mask = x > 0.5d0
    words = ['abc', 'def', 'ghi']
    leaves%v = [1d0, 2d0, 3d0]
    print '(6f9.5)', transpose(m), reshape(x, [2, 2], order=[2, 1]), reshape(x, [3, 3], pad=[9d0, 8d0])
    print '(6f9.5)', reshape(m(:, 3:1:-1), [6]), spread(x, 1, 2), spread(x, 2, 2), spread(m, 2, 2), spread(x(1), 1, 3)
    print '(6f9.5)', pack(m, m > 0.4d0), pack(x, .true.), pack(x, mask, [(1d0 * size(x), k=1, 8)]), unpack(x, mask, -x)
    print '(6f9.5)', cshift(x, 1), cshift(x, -7), cshift(m, 1, 2), cshift(m, [0, 1, -1], 1), eoshift(x, 2), eoshift(x, -1, 5d0)
    print '(6f9.5)', eoshift(m, 1, dim=2), eoshift(m, [1, -1], [7d0, 8d0], 2), matmul(m, x(1:3)), matmul(x(1:2), m)
    print '(6f9.5)', matmul(m, transpose(m)), matmul(transpose(m), m), matmul(m(:, ::2), m(::1, 2:3))
    print *, cshift(k, 1), pack(k, mask), unpack(k, mask, 0), cshift(words, 1), eoshift(words, 1), pack(words, [.true., .false., .true.])
    moved = cshift(leaves, 1)
    print *, moved%v, matmul(reshape(k, [2, 2]), reshape(k, [2, 2]))
    t = m
    c = spread(t, 3, 2)
    print *, shape(c), sum(c)
  end subroutine
  subroutine numbers(x)
    real(8), intent(in) :: x(:)
    real(8) :: a
    real(4) :: s
    integer :: i
    do i = 1, size(x)
      a = x(i) * (-1)**i * 3
      s = real(a)
      print '(5es24.16)', mod(a, 0.7d0), modulo(a, 0.7d0), modulo(a, -0.7d0), fraction(a), scale(a, -2), set_exponent(a, 4)
      print '(5es24.16)', rrspacing(a), spacing(a), nearest(a, 1d0), nearest(a, -1d0), a**3, a**(-3), a**int(5, 8)
      print '(5es14.6)', mod(s, 0.7), modulo(s, 0.7), fraction(s), spacing(s), nearest(s, -1.0), s**i
      print *, exponent(a), nint(a), floor(a), ceiling(a), cmplx(a, s, 8)**3
      if (abs(erfc_scaled(a) - exp(a * a) * erfc(a)) > 1d-12 * erfc_scaled(a)) print *, 'erfc_scaled', a
    end do
    print '(5es24.16)', spacing(0d0), fraction(0d0), set_exponent(0d0, 3), rrspacing(0d0), spacing(1d-310), erfc_scaled(30d0)
  end subroutine
  subroutine pointers(x)
    real(8), intent(in), target :: x(:)
    real(8), pointer :: p(:), q(:), r(:, :)
    real(8), pointer, contiguous :: s(:)
    integer :: status
    p => x(1:3:2)
    q(5:) => p
    print *, lbound(q), q, associated(p, q), associated(p, x(1:2)), is_contiguous(p)
    allocate(s(4))
    s = x(1:4)
    r(1:2, 0:1) => s
    print *, lbound(r), shape(r), r, associated(r)
    deallocate(s, stat=status)
    nullify(r)
    print *, status, associated(r)
    call strided(x(::2))
  end subroutine
  subroutine places(x, m)
    real(8), intent(in) :: x(:), m(:, :)
    integer :: k(size(x)), unit
    complex(8) :: z(2)
    real(8) :: back(3), pair(2), flat(4)
    character(len=4) :: words(3)
    character(len=20) :: line
    k = int(10 * x)
    words = ['one ', 'two ', 'two ']
    print *, findloc(x, x(3)), findloc(x, 7d0), findloc(m, 0.5d0), findloc(k, 7.0), findloc(m > 0.4d0, .true., back=.true.)
    print *, findloc(m > 0.4d0, .true., 1), findloc(m, 0.5d0, 2), findloc(words, 'two'), findloc(words, 'two', back=.true.)
    print *, maxloc(m, 1), maxloc(m, 2), minloc(m, 1, m > 0.2d0), minloc(x, 1), maxloc(k), minloc(k, 1, k > 2, back=.true.)
    print *, maxloc(m, 1, .false.), count(m > 0.4d0, 1, kind=8), any(m > 0.8d0, 2), all(m > 0.15d0, 2), parity(m > 0.4d0, 2)
    print '(4f12.8)', norm2(m, 1), norm2(m, 2), reduce(x, larger), reduce(x, larger, mask=x > 0.6d0)
    print '(5f12.8)', reduce(m, larger, 1), reduce(m, larger, dim=2, mask=m > 0.4d0, identity=-1d0), reduce(x, larger, 1)
    print '(4f12.8)', bessel_jn(0, 3, x(1)), bessel_jn(2, 2, x(2)), bessel_jn(3, 2, x(1)), bessel_jn(0, 2, x(1) - x(1))
    print '(4f12.4)', bessel_yn(0, 3, x(1)), bessel_yn(2, 3, x(2)), bessel_yn(1, 0, x(1)), bessel_yn(0, 2, x(1) - x(1))
    print '(4f12.5)', bessel_jn(1, 4, real(x(1), 4)), bessel_yn(1, 4, real(x(1), 4))
    print '(5f12.8)', reduce(m, larger, 1, .false., 2d0), reduce(m(1:0, :), larger, 1, identity=3d0)
    z = transfer(x, z, 2)
    flat = transfer(z, flat)
    pair = transfer(z(2), pair)
    line = '(1,2.5)'
    read (line, *, iostat=unit) z
    print *, z, unit > 0
    line = ',(3,4)'
    read (line, *, iostat=unit) z
    print *, z, unit
    line = '(5,6) (7,word'
    read (line, *, iostat=unit) z
    print *, z, unit > 0
    z = transfer(x, z, 2)
    print *, z, flat, pair, transfer([1, 2], 1_8) > 2_8**32, transfer('abcd', words)
    open (newunit=unit, status='scratch', form='unformatted')
    write (unit) x(1:3)
    rewind (unit)
    read (unit) back
    close (unit)
    print *, back
    call ranks(x(2:3))
    call ranks(m)
    call ranks(x(1))
    call scope()
    print *, ended
  end subroutine
  subroutine strided(v)
    real(8), intent(in), contiguous :: v(:)
    print *, size(v), v
  end subroutine
end module
subroutine everything() bind(C)
  use library_cases
  real(8) :: x(4), m(2, 3)
  x = [0.25d0, 0.75d0, 0.5d0, 0.625d0]
  m = reshape([0.1d0, 0.9d0, 0.3d0, 0.7d0, 0.5d0, 0.2d0], [2, 3])
  call assignments(x)
  call reductions(x, m)
  call transformations(x, m)
  call numbers(x)
  call pointers(x)
  call places(x, m)
end subroutine
