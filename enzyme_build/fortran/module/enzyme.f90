! Requests for derivatives: `use enzyme`, then e.g. `call enzyme_autodiff(loss, x, x_bar, n)`. See docs/requests.md.
! Nothing here is ever linked: calls are answered and markers are read when the program is linked.

module enzyme_entry_points
  implicit none
  ! Under these names the link step finds the calls. Any arguments may follow the procedure, by reference.
  external :: fortran__enzyme_autodiff, fortran__enzyme_fwddiff
end module

module enzyme
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
  use enzyme_entry_points, only: enzyme_autodiff => fortran__enzyme_autodiff, enzyme_fwddiff => fortran__enzyme_fwddiff
  implicit none
  private :: c_int, c_int64_t

  ! In front of an argument: how it takes part.
  integer(c_int), bind(C) :: enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_dupv, enzyme_dupnoneedv, enzyme_out
  ! Options, two of which have a value behind them.
  integer(c_int), bind(C) :: enzyme_width, enzyme_seed
  integer(c_int), bind(C) :: enzyme_const_return, enzyme_noret, enzyme_primal_return
  integer(c_int), bind(C) :: enzyme_strong_zero, enzyme_runtime_activity

  ! In a loop: how many snapshots are kept of it, and the bytes of arrays that its steps change.
  interface enzyme_checkpoint
    subroutine enzyme_checkpoint_of_int(snapshots) bind(C, name="__enzyme_checkpoint_of_int")
      import :: c_int
      integer(c_int), value :: snapshots
    end subroutine
    subroutine enzyme_checkpoint_of_long(snapshots) bind(C, name="__enzyme_checkpoint_of_long")
      import :: c_int64_t
      integer(c_int64_t), value :: snapshots
    end subroutine
  end interface
  interface enzyme_checkpoint_memory
    subroutine enzyme_checkpoint_memory_of_int(array, bytes) bind(C, name="__enzyme_checkpoint_memory_of_int")
      import :: c_int
      type(*), intent(in) :: array(*)
      integer(c_int), value :: bytes
    end subroutine
    subroutine enzyme_checkpoint_memory_of_long(array, bytes) bind(C, name="__enzyme_checkpoint_memory_of_long")
      import :: c_int64_t
      type(*), intent(in) :: array(*)
      integer(c_int64_t), value :: bytes
    end subroutine
  end interface
end module
