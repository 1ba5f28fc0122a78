! Requests for derivatives: `use enzyme`, then e.g. `call enzyme_autodiff(loss, x, x_bar, n)`. See docs/requests.md.
! Nothing here is ever linked: calls are answered and markers are read when the program is linked.

module enzyme_entry_points
  implicit none
  ! Under these names the link step finds the calls. Any arguments may follow the procedure, by reference.
  external :: fortran__enzyme_autodiff, fortran__enzyme_fwddiff
end module

module enzyme
  use, intrinsic :: iso_c_binding, only: c_int
  use enzyme_entry_points, only: enzyme_autodiff => fortran__enzyme_autodiff, enzyme_fwddiff => fortran__enzyme_fwddiff
  implicit none
  private :: c_int

  ! In front of an argument: how it takes part.
  integer(c_int), bind(C) :: enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_dupv, enzyme_dupnoneedv, enzyme_out
  ! Options, two of which have a value behind them.
  integer(c_int), bind(C) :: enzyme_width, enzyme_seed
  integer(c_int), bind(C) :: enzyme_const_return, enzyme_noret, enzyme_primal_return
  integer(c_int), bind(C) :: enzyme_strong_zero, enzyme_runtime_activity
end module
