; Every instruction, type and kind of constant that front ends emit, in forms the fast patterns do and do not match.
source_filename = "every.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
module asm ".globl from_assembly"

%pair = type { double, i32 }
%"quoted type" = type { %pair, [3 x float], ptr }
%packed = type <{ i8, i32 }>
%opaque = type opaque
%nested = type { { i8, i16 }, <4 x i1>, [2 x [2 x %pair]] }

$comdat = comdat any

@external = external global i32
@weak = extern_weak global ptr addrspace(1)
@number = internal global i32 42, align 4
@float = dso_local local_unnamed_addr constant float 0x3FB99999A0000000
@text = private unnamed_addr constant [7 x i8] c"a\22\\; \00\01", align 1
@"quoted \22name\22" = linkonce_odr hidden constant %pair { double 1.500000e+00, i32 -3 }, comdat($comdat), align 8
@thread = thread_local(initialexec) global i64 0, section "data section", align 8
@array = global [3 x ptr] [ptr @number, ptr getelementptr inbounds (i8, ptr @array, i64 8), ptr null]
@packed = global %packed <{ i8 1, i32 2 }>
@vector = constant <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>
@same = constant <4 x float> splat (float 2.0)
@half = global half 0xH3C00
@brain = global bfloat 0xR3F80
@long = global x86_fp80 0xK3FFF8000000000000000
@quad = global fp128 0xL00000000000000003FFF000000000000
@ppc = global ppc_fp128 0xM3FF00000000000000000000000000000
@infinite = global double 0x7FF0000000000000
@nan = global double 0x7FF8000000000000
@huge = global i128 170141183460469231731687303715884105727
@difference = global i64 sub (i64 ptrtoint (ptr @array to i64), i64 ptrtoint (ptr @number to i64))
@narrow = global i32 trunc (i64 sub (i64 ptrtoint (ptr @array to i64), i64 ptrtoint (ptr @narrow to i64)) to i32)
@far = addrspace(1) global i32 0
@cast = global ptr addrspacecast (ptr addrspace(1) @far to ptr)
@table = constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr null, ptr @callee, ptr blockaddress(@control, %target), ptr inttoptr (i64 5 to ptr)] }
@inside = global ptr getelementptr inbounds inrange(-16, 24) ({ [5 x ptr] }, ptr @table, i32 0, i32 0, i32 2)
@equivalent = global ptr dso_local_equivalent @callee
@unchecked = global ptr no_cfi @callee
@poisoned = global { i32, ptr } { i32 poison, ptr undef }
@llvm.used = appending global [1 x ptr] [ptr @number], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @nothing, ptr null }]

@alias = alias i32, ptr @number
@other.alias = weak hidden alias i8, getelementptr (i8, ptr @array, i64 8)
@resolver = ifunc void (), ptr @resolve

declare ptr @malloc(i64 noundef) allockind("alloc,uninitialized") allocsize(0)
declare noundef nonnull align 8 dereferenceable(16) ptr @attributes(ptr noalias captures(none) align 8, ptr byval(%"quoted type") align 8, i32 signext range(i32 0, 10), ptr readonly captures(address, read_provenance), double nofpclass(nan inf), ...) #0
declare i32 @__gxx_personality_v0(...)
declare void @structure(ptr dead_on_unwind noalias writable sret(%pair) align 8 captures(none) initializes((0, 12)))
declare void @callee()
declare fastcc i32 @fast(i32 inreg)
declare cc 10 void @haskell()
declare void @llvm.sideeffect()
declare i64 @llvm.read_register.i64(metadata)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare <vscale x 4 x i32> @scalable(<vscale x 4 x i32>)

define internal ptr @resolve() {
  ret ptr @nothing
}

define void @nothing() {
  ret void
}

define double @arithmetic(double %x, double noundef %y, <4 x float> %v, i32 %i, i32 %0) {
entry:
  %a = fadd double %x, %y
  %b = fsub fast double %a, 1.5
  %c = fmul nnan ninf nsz double %b, 0x400921FB54442D18
  %d = fdiv arcp contract afn reassoc double %c, %x
  %e = frem double %d, undef
  %f = fneg double %e
  %1 = add nuw nsw i32 %i, %0
  %2 = sub i32 0, %1
  %3 = mul nsw i32 %2, -7
  %4 = udiv exact i32 %3, 3
  %5 = sdiv i32 %4, 5
  %6 = urem i32 %5, 9
  %7 = srem i32 %6, 11
  %8 = shl nuw i32 %7, 2
  %9 = lshr exact i32 %8, 1
  %10 = ashr i32 %9, 1
  %11 = and i32 %10, 255
  %12 = or disjoint i32 %11, 256
  %13 = xor i32 %12, -1
  %w = fadd <4 x float> %v, <float 1.0, float 2.0, float 3.0, float 4.0>
  %w2 = fmul fast <4 x float> %w, splat (float 3.0)
  %w3 = fadd <4 x float> %w2, zeroinitializer
  %w4 = fneg nsz <4 x float> %w3
  %el = extractelement <4 x float> %w4, i32 %13
  %in = insertelement <4 x float> poison, float %el, i64 0
  %sh = shufflevector <4 x float> %in, <4 x float> %w, <2 x i32> <i32 0, i32 5>
  %sh2 = shufflevector <4 x float> %in, <4 x float> poison, <4 x i32> zeroinitializer
  %sh3 = shufflevector <4 x float> %in, <4 x float> poison, <4 x i32> <i32 0, i32 poison, i32 2, i32 3>
  %fr = freeze double %f
  %fr2 = freeze ptr @number
  ret double %fr
}

define i1 @casts(i64 %i, double %d, ptr %p, <2 x i32> %v) {
  %1 = trunc nuw nsw i64 %i to i32
  %2 = zext nneg i32 %1 to i64
  %3 = sext i32 %1 to i128
  %4 = fptrunc double %d to float
  %5 = fpext fast float %4 to x86_fp80
  %6 = fptoui double %d to i8
  %7 = fptosi double %d to i64
  %8 = uitofp nneg i64 %7 to double
  %9 = sitofp <2 x i32> %v to <2 x double>
  %10 = ptrtoint ptr %p to i64
  %11 = inttoptr i64 %10 to ptr
  %12 = bitcast double %8 to <2 x i32>
  %13 = addrspacecast ptr %11 to ptr addrspace(1)
  %14 = bitcast <2 x double> %9 to <4 x float>
  %15 = ptrtoaddr ptr %p to i64
  %c1 = icmp samesign ult i64 %2, 7
  %c2 = icmp eq ptr %p, null
  %c3 = icmp ne ptr %p, getelementptr inbounds (i8, ptr @array, i64 8)
  %c4 = icmp slt <2 x i32> %v, zeroinitializer
  %c5 = fcmp olt double %d, 0.0
  %c6 = fcmp fast une double %d, 0x7FF8000000000000
  %c7 = icmp eq ptr addrspace(1) %13, null
  %s1 = select i1 %c1, double %d, double 1.0
  %s2 = select fast i1 %c2, double %s1, double %d
  %s3 = select <2 x i1> %c4, <2 x i32> %v, <2 x i32> <i32 1, i32 2>
  %s4 = select i1 %c3, ptr %p, ptr getelementptr inbounds (i8, ptr @array, i64 8)
  %s5 = select i1 true, { i32, i32 } zeroinitializer, { i32, i32 } undef
  ret i1 %c7
}

define void @memory(ptr %p, ptr addrspace(1) %q, i64 %n, <2 x ptr> %ps) {
  %1 = alloca i32, align 4
  %2 = alloca %"quoted type", i64 %n, align 16
  %3 = alloca inalloca i8
  %4 = alloca [4 x <2 x double>], i32 7
  %5 = load double, ptr %p, align 8, !tbaa !0
  %6 = load volatile i32, ptr @number, align 4
  %7 = load atomic i64, ptr %p syncscope("agent") acquire, align 8
  %8 = load atomic volatile i32, ptr %p seq_cst, align 4
  %9 = load i32, ptr addrspace(1) %q
  %10 = load { i32, { double, ptr } }, ptr %p, align 8
  %11 = load <vscale x 4 x i32>, ptr %p, align 16
  store double %5, ptr %p, align 8, !tbaa !0, !alias.scope !7
  store volatile i32 7, ptr %1
  store atomic i64 %7, ptr %p release, align 8
  store <2 x double> <double 1.0, double 2.0>, ptr %4, align 16
  store { i32, ptr } { i32 1, ptr @number }, ptr %p, align 8
  store ptr @"quoted \22name\22", ptr %p, align 8
  store i32 1, ptr addrspace(1) %q, align 4
  store i24 -5, ptr %p, align 4
  %12 = getelementptr inbounds nuw double, ptr %p, i64 %n
  %13 = getelementptr %nested, ptr %p, i64 0, i32 2, i64 1, i64 %n, i32 0
  %14 = getelementptr nusw { i8, { i8, double } }, ptr %p, i32 1, i32 1, i32 1
  %15 = getelementptr i8, <2 x ptr> %ps, <2 x i64> <i64 1, i64 2>
  %16 = getelementptr i8, ptr %p, <2 x i64> splat (i64 8)
  %17 = getelementptr i32, ptr addrspace(1) %q, i64 1
  %18 = getelementptr i8, ptr getelementptr (i8, ptr @array, i64 8), i64 %n
  fence syncscope("singlethread") acq_rel
  fence seq_cst
  %19 = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %20 = cmpxchg ptr %p, ptr null, ptr %12 syncscope("agent") seq_cst seq_cst
  %21 = atomicrmw add ptr %p, i64 1 monotonic, align 8
  %22 = atomicrmw volatile fadd ptr %p, double 1.0 seq_cst
  %23 = atomicrmw xchg ptr %p, ptr null syncscope("agent") acquire
  %24 = extractvalue { i32, i1 } %19, 0
  %25 = extractvalue { i32, { double, ptr } } %10, 1, 0
  %26 = insertvalue { i32, { double, ptr } } %10, double %25, 1, 0
  %27 = insertvalue [2 x %pair] poison, %pair { double 1.0, i32 2 }, 1
  %28 = va_arg ptr %p, double
  ret void
}

define i32 @calls(ptr %f, i32 %n, ...) personality ptr @__gxx_personality_v0 {
entry:
  call void @structure(ptr dead_on_unwind writable sret(%pair) align 8 %f)
  %a = tail call ptr @malloc(i64 noundef 8) #1, !dbg !12
  %b = call noundef nonnull align 8 dereferenceable(16) ptr (ptr, ptr, i32, ptr, double, ...) @attributes(ptr noalias align 8 %a, ptr byval(%"quoted type") align 8 %f, i32 signext %n, ptr null, double 1.0, i32 7, ptr @number) #0
  %c = musttail call i32 (ptr, i32, ...) @calls(ptr %f, i32 %n, ...)
  ret i32 %c
}

define i32 @more.calls(ptr %f, i32 %n, double %x) personality ptr @__gxx_personality_v0 {
  %1 = call fastcc i32 @fast(i32 inreg 1)
  call cc 10 void @haskell()
  %2 = call i32 %f(i32 %n, ptr @callee)
  %3 = notail call fast double %f(double %x)
  %4 = call { ptr, i64 } %f(<2 x double> <double 1.0, double 2.0>, { i32, i32 } { i32 1, i32 2 }, [2 x i8] zeroinitializer)
  call void asm sideeffect "mov $0, %eax ; ,(", "r,~{dirflag}"(i32 %n) #1, !srcloc !10
  %5 = call i32 asm "bswap $0", "=r,0"(i32 %2)
  %6 = call i64 @llvm.read_register.i64(metadata !5)
  %7 = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.tonearest", metadata !"fpexcept.strict") #1
  call void @callee() [ "deopt"(i32 %n, ptr null), "other"() ]
  call void @llvm.sideeffect() nounwind memory(none)
  %8 = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %9 = call ptr @malloc(i64 ptrtoint (ptr @number to i64))
  %10 = call addrspace(0) ptr @malloc(i64 8)
  %11 = call <vscale x 4 x i32> @scalable(<vscale x 4 x i32> zeroinitializer)
  %12 = call range(i32 0, 10) i32 %f(i32 range(i32 0, 10) %n)
  invoke void @callee()
          to label %normal unwind label %cleanup
normal:
  %r = invoke fastcc i32 @fast(i32 inreg %n) #1 [ "deopt"(i32 7) ]
          to label %done unwind label %catch, !prof !11
done:
  %s = invoke noundef i32 %f(ptr byval(%pair) align 8 null, i32 signext %r)
          to label %end unwind label %cleanup, !dbg !12
end:
  ret i32 %s
cleanup:
  %pad = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %pad
catch:
  %pad2 = landingpad { ptr, i32 }
          cleanup
          catch ptr @number
          catch ptr null
          filter [1 x ptr] [ptr @number]
  unreachable, !dbg !12
}

define i32 @control(i32 %n, ptr %p) {
"first block":
  %c = icmp eq i32 %n, 0
  switch i32 %n, label %"quoted, label" [
    i32 1, label %one
    i32 -2, label %loop
  ], !prof !19
one:
  br i1 %c, label %loop, label %late
"quoted, label":
  br label %one
late:
  indirectbr ptr %p, [label %target, label %one2]
one2:
  br label %target
target:
  %t = phi i32 [ 0, %late ], [ 1, %one2 ], [ %next, %loop ], !dbg !12
  switch i8 0, label %other []
loop:
  %i = phi i32 [ 0, %"first block" ], [ %n, %one ], [ %next, %loop ]
  %d = phi fast double [ 0.0, %"first block" ], [ 0x7FF0000000000000, %one ], [ %d, %loop ]
  %v = phi <2 x double> [ zeroinitializer, %"first block" ], [ <double 1.0, double 2.0>, %one ], [ %v, %loop ]
  %s = phi { ptr, i32 } [ { ptr @number, i32 1 }, %"first block" ], [ undef, %one ], [ %s, %loop ]
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %target, !llvm.loop !8
other:
  callbr void asm sideeffect "", "r,!i"(i32 %n)
          to label %last [label %late2]
late2:
  ret i32 0
last:
  ret i32 %t
}

attributes #0 = { nounwind memory(argmem: readwrite) "frame-pointer"="all" "target-features"="+sse2,+cx8" }
attributes #1 = { nounwind }

!llvm.dbg.cu = !{!16}
!llvm.module.flags = !{!4}
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{!"rsp"}
!6 = distinct !{!6, !18}
!7 = !{!6}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}
!10 = !{i64 12345}
!11 = !{!"branch_weights", i32 1, i32 2}
!12 = !DILocation(line: 3, column: 4, scope: !13)
!13 = distinct !DISubprogram(name: "control", scope: !14, file: !14, line: 1, type: !15, spFlags: DISPFlagDefinition, unit: !16)
!14 = !DIFile(filename: "every.c", directory: "/somewhere")
!15 = !DISubroutineType(types: !17)
!16 = distinct !DICompileUnit(language: DW_LANG_C11, file: !14, producer: "by hand; \22quoted\22", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!17 = !{null}
!18 = distinct !{!18}
!19 = !{!"branch_weights", i32 1, i32 2, i32 3}
