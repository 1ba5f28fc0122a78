module constants
  implicit none
  real(8), parameter :: stiffness = 0.5d0
end module
