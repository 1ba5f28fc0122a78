"""Functions without derivative, and why.

None of them keeps memory of the program and gives it back, nor runs its handlers (`pthread_getspecific`, `raise` do).
Calls to them are made once, in the forward sweep. `writes` says behind which pointer arguments they write, for the
analysis of what is overwritten; what they write carries no derivative. What they read does not matter. Most write text,
integers or structures of their own; where they write numbers (`fread`, `scanf`), `fills` says which bytes, because the
derivatives of what was there before end with the call.

Most of them come from the C and C++ standards; `PATTERNS` holds the families of mangled names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import DOUBLE, FLOAT, X86_FP80
from enzyme_build.regex import regex

from .inactive_rows import Comparison, Fill, Inactive, Number, Why

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping


CHECKS: Final = frozenset(
    f"enzyme_build.{name}" for name in ("bytes_left", "bytes_left_each", "words_left", "words_left_each", "words_ended")
)
"""What a derivative looks at: where it is differentiated again, the same has to be seen of its tangents."""


SETJMP: Final = ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp")
LONGJMP: Final = ("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk")


_ENDS: Final = """strtod strtof strtold strtol strtoul strtoll strtoull strtoimax strtoumax wcstod wcstol
__isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull"""


def _rows(
    why: Why, names: str, *writes: int, writes_from: int | None = None, no_return: bool = False
) -> dict[str, Inactive]:
    row = Inactive(why, frozenset(writes), writes_from, no_return=no_return)
    return dict.fromkeys(names.split(), row)


def _fills(why: Why, names: str, *fills: Fill) -> dict[str, Inactive]:
    row = Inactive(why, frozenset(fill.pointer for fill in fills), fills=fills)
    return dict.fromkeys(names.split(), row)


def _scans(names: str, form: int) -> dict[str, Inactive]:
    return dict.fromkeys(names.split(), Inactive(Why.IO, writes_from=form + 1, scans=form))


INACTIVE: Final[Mapping[str, Inactive]] = {
    # Input and output
    **_rows(
        Why.IO,
        """printf fprintf vprintf vfprintf dprintf vdprintf puts fputs putchar putc fputc fputwc wprintf fwprintf
        __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk perror fwrite write pwrite
        fflush fopen freopen fdopen tmpfile fclose open open64 fopen64 creat close lseek fseek fseeko ftell ftello
        rewind feof ferror clearerr fileno ungetc setbuf setvbuf setlinebuf remove rename unlink mkdir rmdir chdir
        access isatty dup dup2 fsync popen pclose getc fgetc getchar putw getw flockfile funlockfile puts_unlocked
        fputs_unlocked fputc_unlocked putc_unlocked fwrite_unlocked syslog opendir closedir readdir _IO_putc _IO_getc
        stdout stderr iprintf __isoc23_printf""",
    ),
    **_fills(Why.IO, "fread fread_unlocked", Fill(0, sizes=(1,), counted=True)),
    **_fills(Why.IO, "__fread_chk __fread_unlocked_chk", Fill(0, sizes=(2,), counted=True)),
    **_fills(Why.IO, "read pread pread64 recv", Fill(1, counted=True)),
    **_rows(
        Why.IO,
        "fgets gets fgetws fgets_unlocked snprintf vsnprintf sprintf vsprintf siprintf __fgets_chk __gets_chk",
        0,
    ),
    **_rows(Why.IO, "__sprintf_chk __vsprintf_chk __snprintf_chk __vsnprintf_chk", 0),
    **dict.fromkeys(
        ["asprintf", "vasprintf", "__asprintf_chk", "__vasprintf_chk"], Inactive(Why.IO, frozenset([0]), leaves=0)
    ),
    **_rows(Why.IO, "stat lstat fstat fgetpos pipe", 0, 1),
    **dict.fromkeys(("getline", "getdelim", "__getdelim"), Inactive(Why.IO, frozenset([0, 1]), leaves=0, follows=True)),
    **_scans("scanf __isoc99_scanf __isoc23_scanf wscanf __isoc99_wscanf __isoc23_wscanf", 0),
    **_scans("fscanf sscanf __isoc99_fscanf __isoc99_sscanf __isoc23_fscanf __isoc23_sscanf fwscanf swscanf", 1),
    # Text
    **dict.fromkeys(
        ("strdup", "strndup", "__strdup", "__strndup", "enzyme_build.new_text"), Inactive(Why.TEXT, fresh=True)
    ),
    **_rows(
        Why.TEXT,
        """strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strchr strrchr strstr strcasestr strspn strcspn
        strpbrk strchrnul index rindex memcmp bcmp memchr memrchr rawmemchr memmem strerror
        strsignal wcslen wcscmp wcsncmp wmemcmp wcschr atoi atol atoll atof isalpha isdigit isalnum isspace isupper
        islower isprint ispunct iscntrl isgraph isxdigit isblank tolower toupper __ctype_b_loc __ctype_tolower_loc
        __ctype_toupper_loc __ctype_get_mb_cur_max localeconv btowc wctob towlower towupper fnmatch
        iswspace iswdigit iswalpha iswalnum iswupper iswlower iswpunct iswcntrl iswprint iswgraph iswxdigit iswblank
        gettext dcgettext bindtextdomain textdomain""",
    ),
    **_rows(
        Why.TEXT,
        """strcpy strncpy strcat strncat stpcpy stpncpy strlcpy strlcat strtok __strcpy_chk __strncpy_chk __strcat_chk
        __strncat_chk __stpcpy_chk wcscpy wcsncpy wcscat strxfrm strfromd strfromf strfroml mbstowcs wcstombs mbtowc
        wctomb strftime regcomp regfree""",
        0,
    ),
    **dict.fromkeys(
        _ENDS.split(),
        Inactive(Why.TEXT, frozenset([1]), ends=(1, 0)),
    ),
    # The characters that they overwrite lie behind a pointer that they are given the place of
    **dict.fromkeys(("strtok_r", "strsep"), Inactive(Why.TEXT, frozenset([0, 2]), follows=True)),
    **_rows(Why.TEXT, "strerror_r __xpg_strerror_r", 0, 1, 2),
    **_rows(Why.TEXT, "regexec", 3),
    # They sort the array of the arguments; the flags that the last two set are behind pointers in the table of options.
    **_rows(Why.TEXT, "getopt", 1),
    **dict.fromkeys(("getopt_long", "getopt_long_only"), Inactive(Why.TEXT, frozenset([1, 3, 4]), follows=True)),
    # Time and random numbers
    **_rows(Why.TIME, "clock difftime usleep sleep omp_get_wtime omp_get_wtick ctime asctime gmtime localtime"),
    **_rows(Why.TIME, "tzset mach_absolute_time _ZNSt6chrono3_V212steady_clock3nowEv MPI_Wtime MPI_Wtick"),
    **_rows(Why.TIME, "_ZNSt6chrono3_V212system_clock3nowEv _ZNSt6chrono3_V221high_resolution_clock3nowEv"),
    **_rows(Why.TIME, "time gettimeofday times timespec_get ftime mktime timegm timelocal", 0, 1),
    **_rows(Why.TIME, "clock_gettime clock_getres nanosleep getrusage localtime_r gmtime_r ctime_r", 1),
    **_rows(Why.RANDOM, "rand srand random srandom drand48 srand48 lrand48 mrand48 arc4random arc4random_uniform"),
    **_rows(Why.RANDOM, "rand_r erand48 nrand48 jrand48 initstate seed48 lcong48", 0, 1),
    **_rows(Why.RANDOM, "random_r lrand48_r mrand48_r srand48_r seed48_r srandom_r setstate_r setstate", 0, 1),
    **_rows(Why.RANDOM, "nrand48_r jrand48_r lcong48_r initstate_r", 0, 1, 2, 3),
    **_fills(Why.RANDOM, "getrandom", Fill(0, counted=True)),
    **_fills(Why.RANDOM, "getentropy", Fill(0, sizes=(1,), status=True)),
    **_fills(Why.RANDOM, "arc4random_buf", Fill(0, sizes=(1,))),
    "drand48_r": Inactive(Why.RANDOM, frozenset([0, 1]), fills=(Fill(1, constant=8),)),
    "erand48_r": Inactive(Why.RANDOM, frozenset([0, 1, 2]), fills=(Fill(2, constant=8),)),
    **_fills(Why.SYSTEM, "getloadavg", Fill(0, constant=8, counted=True)),
    # Ends of the program
    **_rows(
        Why.STOP,
        """abort exit _exit _Exit quick_exit __assert_fail __assert_perror_fail __assert_rtn __assert __stack_chk_fail
        __fortify_fail __chk_fail err errx verr verrx _ZSt9terminatev _ZSt10unexpectedv __cxa_throw __cxa_rethrow
        __cxa_bad_cast __cxa_bad_typeid __cxa_throw_bad_array_new_length __cxa_pure_virtual __cxa_deleted_virtual
        __clang_call_terminate _Unwind_Resume _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE
        _ZSt21__glibcxx_assert_failPKciS0_S0_ llvm.trap llvm.ubsantrap pthread_exit thrd_exit
        rust_begin_unwind __rust_start_panic __rust_alloc_error_handler""",
        no_return=True,
    ),
    **_rows(Why.STOP, "atexit at_quick_exit __cxa_atexit __cxa_thread_atexit signal alarm"),
    **_rows(Why.STOP, "sigaction", 2),
    **_rows(Why.STOP, "warn warnx error error_at_line backtrace_symbols_fd llvm.debugtrap psignal"),
    **_rows(Why.STOP, "backtrace", 0),
    # Classification and conversion of numbers to integers
    **{
        f"{name}{suffix}": Inactive(Why.CLASSIFY)
        for name in "ilogb lround llround lrint llrint fpclassify isnan isinf finite signbit issignaling".split()  # noqa: SIM905
        for suffix in ("", "f", "l")
    },
    **{
        f"__{name}{suffix}": Inactive(Why.CLASSIFY)
        for name in ("isnan", "isinf", "finite", "fpclassify", "signbit", "iscanonical", "issignaling")
        for suffix in ("", "f", "l", "d")
    },
    **_rows(Why.CLASSIFY, "fegetround fesetround feclearexcept feraiseexcept fetestexcept feenableexcept fesetenv"),
    **_rows(Why.CLASSIFY, "fedisableexcept fegetexcept feupdateenv nan nanf nanl"),
    **_rows(Why.CLASSIFY, "fegetenv feholdexcept fegetexceptflag", 0),
    # Runtimes
    **_rows(
        Why.RUNTIME,
        """__errno_location __error _errno __cxa_begin_catch __cxa_end_catch __cxa_allocate_exception
        __cxa_free_exception __cxa_get_exception_ptr __cxa_get_globals __cxa_current_exception_type
        _ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv __cxa_uncaught_exceptions
        __gxx_personality_v0 __gcc_personality_v0 rust_eh_personality __dynamic_cast _Unwind_GetIP
        __gcov_flush __tls_get_addr malloc_usable_size malloc_trim mallopt malloc_stats
        _ZSt15get_new_handlerv _ZSt15set_new_handlerPFvvE _ZSt13get_terminatev _ZSt13set_terminatePFvvE
        _ZNSt8ios_base4InitC1Ev
        _ZNSt8ios_base4InitD1Ev _ZNKSt9type_info4nameEv _ZNKSt9type_infoeqERKS_ _ZSt11_Hash_bytesPKvmm
        _ZSt20_Fnv_hash_bytesPKvmm""",
    ),
    **_rows(Why.RUNTIME, "__cxa_demangle mallinfo mallinfo2 _Unwind_Backtrace", 0, 1, 2, 3),
    **_rows(Why.RUNTIME, "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", 0),
    **_rows(Why.RUNTIME, "__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort", 0),
    # An arena is written by our own functions, and read by nobody else.
    **_rows(Why.RUNTIME, "enzyme_build.defer"),
    "enzyme_build.same_object": Inactive(Why.RUNTIME, reads=False),
    **_rows(Why.RUNTIME, "enzyme_build.setting"),
    **_rows(
        Why.RUNTIME,
        "enzyme_build.tree_colours enzyme_build.tree_climb enzyme_build.tree_grows enzyme_build.tree_shrinks",
        1,
    ),
    **_rows(Why.RUNTIME, "enzyme_build.moved_part enzyme_build.bytes_other enzyme_build.bytes_left"),
    **_rows(
        Why.RUNTIME,
        """enzyme_build.words_other enzyme_build.pointers_other enzyme_build.words_left enzyme_build.words_tangent
        enzyme_build.words_seen enzyme_build.words_ended enzyme_build.bytes_other_each enzyme_build.bytes_left_each
        enzyme_build.words_other_each enzyme_build.words_left_each enzyme_build.pointer_left
        enzyme_build.pointers_left enzyme_build.half_left enzyme_build.number_askew enzyme_build.adjoints_askew""",
    ),
    **_rows(
        Why.RUNTIME,
        """enzyme_build.bytes_clear enzyme_build.bytes_clear_each enzyme_build.words_clear enzyme_build.words_clear_each
        enzyme_build.left_clear enzyme_build.left_clear_each""",
        1,
    ),
    **_rows(Why.RUNTIME, "enzyme_build.pointers_gone", 0),
    **_rows(
        Why.RUNTIME, "enzyme_build.pointer_note enzyme_build.pointers_back enzyme_build.pointers_forth enzyme_build.say"
    ),
    **_rows(Why.STOP, "enzyme_build.unknown_target", no_return=True),
    "enzyme_build.text_copy": Inactive(Why.TEXT, frozenset([0]), copied=True),
    "enzyme_build.bytes_repeated": Inactive(Why.TEXT, frozenset([0])),
    "enzyme_build.bytes_rotated": Inactive(Why.TEXT, frozenset([0, 1])),
    # What stands for sorts and searches by callback (`differentiate.sorts`).
    "enzyme_build.order_qsort": Inactive(Why.ORDER, frozenset([0]), compares=Comparison(4, (1, 1), 6, copied=True)),
    "enzyme_build.order_qsort_r": Inactive(
        Why.ORDER, frozenset([0]), compares=Comparison(4, (1, 1, 5), 6, copied=True)
    ),
    "enzyme_build.place_bsearch": Inactive(Why.ORDER, compares=Comparison(4, (0, 1), 5)),
    "enzyme_build.place_lfind": Inactive(Why.ORDER, compares=Comparison(4, (0, 1), 5)),
    # Derivatives go on where it returns for the first time only.
    **_rows(Why.STOP, " ".join(SETJMP), 0),
    **_rows(Why.STOP, " ".join(LONGJMP), no_return=True),
    **_rows(Why.RUNTIME, "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", 0),
    # The operating system
    **_rows(
        Why.SYSTEM,
        """getenv secure_getenv setenv unsetenv putenv clearenv system getpid getppid gettid getuid geteuid getgid
        sysconf getpagesize sched_yield sched_getcpu get_nprocs getauxval dlopen dlclose dlerror
        fork
        setlocale uselocale newlocale freelocale duplocale mlock munlock mprotect sched_setaffinity""",
    ),
    **_rows(Why.SYSTEM, "getcwd realpath uname sysinfo getrlimit sched_getaffinity gethostname", 0, 1, 2),
    "gethostbyname": Inactive(Why.SYSTEM),
    "prctl": Inactive(Why.SYSTEM, writes_from=1),
    # Threads
    **_rows(
        Why.SYNC,
        """pthread_self pthread_equal
        pthread_key_delete pthread_yield pthread_detach omp_get_thread_num omp_get_num_threads omp_get_max_threads
        omp_get_num_procs omp_in_parallel omp_set_num_threads omp_get_level omp_get_active_level omp_set_dynamic
        omp_get_dynamic omp_get_thread_limit __kmpc_global_thread_num _ZNSt6thread20hardware_concurrencyEv
        _ZNSt12__basic_fileIcE""",
    ),
    **_rows(
        Why.SYNC,
        """pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_mutex_init pthread_mutex_destroy
        pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy pthread_rwlock_rdlock
        pthread_rwlock_wrlock pthread_rwlock_unlock pthread_spin_lock pthread_spin_unlock pthread_cond_signal
        pthread_cond_broadcast pthread_cond_init pthread_cond_destroy sem_post sem_wait sem_init sem_destroy
        mtx_lock mtx_unlock mtx_init mtx_destroy pthread_key_create
        omp_set_lock omp_unset_lock omp_init_lock omp_destroy_lock""",
        0,
    ),
    # Integers
    **_rows(Why.INTEGER, "abs labs llabs imaxabs div ldiv lldiv ffs ffsl ffsll __popcountdi2 __popcountsi2 __clzdi2"),
    **_rows(Why.INTEGER, "htonl htons ntohl ntohs __divti3 __modti3 __udivti3 __umodti3 __multi3 __ctzdi2"),
    **_rows(Why.INTEGER, "__mulodi4 __muloti4", 2, 4),
    # For developers
    **_rows(Why.TRACE, "mcount __fentry__ _mcount __cyg_profile_func_enter __cyg_profile_func_exit mtrace muntrace"),
    **_rows(Why.TRACE, "__sanitizer_print_stack_trace __asan_report_error __rust_no_alloc_shim_is_unstable"),
}

#: LLVM intrinsics, without their overload suffix.
INACTIVE_INTRINSICS: Final[Mapping[str, Inactive]] = {
    **_rows(
        Why.COMPILER,
        """dbg.declare dbg.value dbg.label dbg.assign lifetime.start lifetime.end invariant.start invariant.end assume
        experimental.noalias.scope.decl prefetch stacksave stackrestore donothing sideeffect pseudoprobe var.annotation
        annotation codeview.annotation expect expect.with.probability is.constant objectsize
        instrprof.increment instrprof.value.profile pcmarker readcyclecounter readsteadycounter
        experimental.widenable.condition type.test public.type.test allow.runtime.check allow.ubsan.check
        eh.typeid.for returnaddress addressofreturnaddress frameaddress sponentry get.rounding
        set.rounding vscale clear_cache call.preallocated.setup fake.use donothing localescape
        experimental.constrained.fcmp experimental.constrained.fcmps get.active.lane.mask""",
    ),
    **_rows(
        Why.INTEGER,
        """abs smax smin umax umin ctpop ctlz cttz bswap bitreverse fshl fshr sadd.sat uadd.sat ssub.sat usub.sat
        sshl.sat ushl.sat sadd.with.overflow uadd.with.overflow ssub.with.overflow usub.with.overflow smul.with.overflow
        umul.with.overflow scmp ucmp vector.reduce.add vector.reduce.mul vector.reduce.and vector.reduce.or
        vector.reduce.xor vector.reduce.smax vector.reduce.smin vector.reduce.umax vector.reduce.umin
        smul.fix umul.fix sdiv.fix udiv.fix""",
    ),
    **_rows(Why.RUNTIME, "init.trampoline", 0),
    **_rows(
        Why.CLASSIFY, "is.fpclass fptosi.sat fptoui.sat lround llround lrint llrint get.fpenv get.fpmode reset.fpenv"
    ),
    **_rows(Why.STOP, "trap ubsantrap", no_return=True),
    **_rows(Why.STOP, "debugtrap"),
}

_STOPS: Final = Inactive(Why.STOP, no_return=True)
_STREAM: Final = Inactive(Why.IO, writes_from=0)
_STRING: Final = Inactive(Why.TEXT, writes_from=0)
_PATH: Final = "(?:N[a-zA-Z])*"
"""What stands in front of a crate's name in the mangled names of Rust."""
_BOOKKEEPING: Final = Inactive(Why.RUNTIME, writes_from=0)
_LETTERS: Final = (("f", FLOAT), ("d", DOUBLE), ("e", X86_FP80))
_OF_NUM_GET: Final = 7
"""The argument for the number, behind the facet, two iterators of two words each, the stream and its state."""
GCOUNT: Final = 8
"""Where streams for input say how many characters were read last, in both libraries: behind the pointer to a table."""

VARIABLES: Final = regex(r"_(?:R|ZN)\w*3std4hash6random\w*11RandomState3new4KEYS")
"""Variables of libraries that never hold a number with a derivative: the random keys of Rust's hash maps."""

LIBRARY_VARIABLES: Final[frozenset[str]] = frozenset(
    _rows(
        Why.RUNTIME,
        """stdin stdout stderr environ _environ __environ optarg optind opterr optopt timezone __timezone daylight
        __daylight tzname __tzname signgam __signgam program_invocation_name program_invocation_short_name __progname
        __progname_full h_errno error_message_count error_print_progname error_one_per_line
        _ZSt3cin _ZSt4cout _ZSt4cerr _ZSt4clog _ZSt4wcin _ZSt5wcout _ZSt5wcerr _ZSt5wclog _ZSt7nothrow
        _ZNSt3__13cinE _ZNSt3__14coutE _ZNSt3__14cerrE _ZNSt3__14clogE""",
    )
)
"""The same of the standard libraries of C and C++, where nothing else in the link defines these names."""

#: Families of mangled names; each is tried at the start of the symbol.
PATTERNS: Final[tuple[tuple[re.Pattern[str], Inactive], ...]] = tuple(
    (regex("|".join(patterns)), row)
    for row, patterns in (
        # std::__throw_bad_alloc(), std::__throw_length_error(char const*) …
        (_STOPS, [r"_ZSt\d+__throw_"]),
        # Panics and failed checks of Rust, in both manglings
        (
            _STOPS,
            [
                r"_ZN4core9panicking",
                r"_ZN4core(6option|6result)\d+(unwrap_failed|expect_failed)",
                r"_ZN4core(5slice5index|3str)\d+slice_",
                r"_R\w*4core9panicking",
                r"_R\w*4core(6option|6result)\d+(unwrap_failed|expect_failed)",
                r"_R\w*4core5slice5index\d+slice_",
                r"_R\w*4core3str16slice_error_fail",
                r"_R\w*5alloc(5alloc18handle_alloc_error|7raw_vec(12handle_error|17capacity_overflow))",
            ],
        ),
        (Inactive(Why.RUNTIME), [r"_R\w*3std9panicking11panic_count"]),
        # What ends variables of a thread, as `__cxa_thread_atexit` does
        (Inactive(Why.STOP), [r"_R\w*3std3sys12thread_local11destructors\w*8register$"]),
        (Inactive(Why.RUNTIME), [r"_R\w*7___rustc\d+_(__rust_no_alloc_shim_is_unstable|__rust_alloc_error_handler)"]),
        # Rust's text: what is formatted goes to memory of characters, and what is printed away
        (
            Inactive(Why.TEXT, writes_from=0, grows=0, follows=True),
            [rf"_RI?{_PATH}(?:[MX](?:s[0-9A-Za-z]*_)?{_PATH})?Cs[0-9A-Za-z]+_4core3fmt"],
        ),
        # The same to a new string: what the program calls copies it (`llvm.rust_text`)
        (
            Inactive(Why.TEXT, writes=frozenset([0]), copied=True),
            [r"_RNvNvNtCs\w+_5alloc3fmt6format12format_inner"],
        ),
        (Inactive(Why.IO), [r"_R\w*3std2io5stdio\d+__e?print"]),
        # Numbers and bytes read from streams: operator>>, std::num_get, read. At the end of the stream nothing is.
        *(
            (Inactive(Why.IO, writes_from=0, numbers=(Number(at, type_, count),)), [pattern.replace("@", letter)])
            for letter, type_ in _LETTERS
            for at, count, pattern in (
                (1, 1, r"_ZN(Si|St13basic_istreamIwSt11char_traitsIwEE)(rsER@$|10_M_extractI@E)"),
                (1, 1, r"_ZNSt3__113basic_istreamI[cw]NS_11char_traitsI[cw]EEErsER@$"),
                (1, 2, r"_ZStrsI@[cw]St11char_traitsI[cw]EERSt13basic_istreamI\w+RSt7complexI"),
                (
                    *(_OF_NUM_GET, 1),
                    r"_ZNKSt7num_getI[cw]St19istreambuf_iteratorI\w+?E(?:3|6do_)getES3_S3_RSt8ios_base\w+R@$",
                ),
            )
        ),
        (Inactive(Why.IO, writes_from=0, fills=(Fill(1, counter=GCOUNT),)), [r"_ZNSi4readEPcl"]),
        (
            Inactive(Why.IO, writes_from=0, fills=(Fill(1, counted=True),)),
            [r"_ZNSi8readsomeEPcl|_ZNSt\d+basic_(?:streambuf|filebuf)IcSt11char_traitsIcEE(?:6xsgetn|5sgetn)EPcl"],
        ),
        # iostream: streams, buffers, ios, locale
        (
            _STREAM,
            [
                r"_ZNK?(So|Si|Sd|St9basic_ios|St8ios_base|St6locale|St5ctype|St12__basic_file)",
                r"_ZNK?St\d\dbasic_(ostream|istream|iostream|fstream|ifstream|ofstream|filebuf|streambuf)",
                r"_ZNK?[RO]?St7__cxx11\d+basic_(stringstream|ostringstream|istringstream|stringbuf)",
                r"_ZSt(ls|rs|4endl|5flush|4ends|7getline|16__ostream_insert|2ws|9use_facet|9has_facet)",
                r"_ZNK?St(7__cxx11)?\d+(numpunct|moneypunct|collate|num_put|num_get)I",
            ],
        ),
        # A number from characters: std::from_chars(char const*, char const*, double&, std::chars_format)
        *(
            (
                Inactive(Why.TEXT, writes=frozenset([2]), fills=(Fill(2, constant=type_.bits // 8, status=True),)),
                [rf"_ZSt10from_charsPKcS0_R{letter}St12chars_format$"],
            )
            for letter, type_ in _LETTERS
        ),
        # And characters from a number: std::to_chars(char*, char*, double), with and without a format and a precision
        (Inactive(Why.TEXT, writes=frozenset([0])), [r"_ZSt8to_charsPcS_[fde](?:St12chars_formati?)?$"]),
        # std::string and its conversions
        (
            Inactive(Why.TEXT, writes_from=0, strings=True, fresh=True),
            [r"_ZNSt7__cxx1112basic_string\w+9_M_createERmm$"],
        ),
        # Made of, or with, other text, which stays as it is
        (
            Inactive(Why.TEXT, writes=frozenset([0]), strings=True),
            [r"_ZNSt7__cxx1112basic_string\w+EE(?:C[12]|\d+\w+?|aS|pL)Em{0,2}(?:RKS4_|PKc)"],
        ),
        (
            Inactive(Why.TEXT, writes_from=0, strings=True),
            [r"_ZNSt7__cxx1112basic_string|_ZNKR?St7__cxx1112basic_string\w+6substrE"],
        ),
        (Inactive(Why.TEXT, writes=frozenset([1]), strings=True), [r"_ZNKSt7__cxx1112basic_string\w+EE4copyE"]),
        (Inactive(Why.TEXT, strings=True), [r"_ZNKSt7__cxx1112basic_string"]),
        (_STRING, [r"_ZNK?(Ss|Sb)", r"_ZNSt7__cxx119to_string|_ZNSt7__cxx114sto"]),
        # Exceptions, type information, threads
        (
            _BOOKKEEPING,
            [
                r"_ZNK?St\d+(exception|bad_\w+?|(logic|runtime|range|domain|length|overflow|underflow|system)_error)[CD]",
                r"_ZNK?St\d+(out_of_range|invalid_argument)[CD]",
                r"_ZNSaI\w+E[CD]\dE|_ZNSt15__new_allocatorI\w+E[CD]\dE",
                r"_ZNKSt\d+\w+4whatEv|_ZNSt15__exception_ptr|_ZSt17current_exceptionv",
            ],
        ),
        (
            Inactive(Why.SYNC, writes_from=0),
            [r"_ZNK?St(5mutex|18condition_variable|6thread20hardware|15recursive_mutex|10filesystem)"],
        ),
        # Who starts a thread is refused; the end of one that runs anyway has no derivative.
        (
            Inactive(Why.SYNC, writes_from=0),
            [
                r"_ZNSt(3__1)?6thread(4join|6detach)Ev$",
                r"_ZNSt6thread6_StateD[12]Ev$",
                r"_ZNSt13__future_base(12_Result_base[CD]|11_State_baseD|19_Async_state_commonD)[12]Ev$",
            ],
        ),
        # What waits for a lock of Rust, and wakes others: the lock itself is an integer in front of what it guards
        (Inactive(Why.SYNC), [r"_R\w*3std3sys4sync(5mutex|6rwlock|7condvar)5futex"]),
        (Inactive(Why.RANDOM, writes_from=0), [r"_ZNK?St13random_device"]),
        (Inactive(Why.RANDOM), [r"_R\w*3std3sys6random\w*hashmap_random_keys"]),
        (Inactive(Why.COMPILER), [r"enzyme_build\.constant\."]),
        # Sanitizers and coverage
        (Inactive(Why.TRACE), [r"__(ubsan|asan|msan|tsan|sanitizer|gcov|llvm_profile|llvm_gcov)_"]),
    )
)


#: Functions of headers that print numbers, by `vsnprintf`: what is left of std::to_string. They have bodies, but are
#: variadic.
PRINTED: Final = "_ZN9__gnu_cxx12__to_xstring"


_OF_STRINGS: Final = r"_ZNSt7__cxx1112basic_string\w+EE"
#: Functions without body that return their first argument: what appends to a std::string, writes to a stream of libc++,
#: and the like.
RETURN_FIRST: Final = regex(
    rf"{_OF_STRINGS}(?:9_M_append|10_M_replace|14_M_replace_aux|6append|6assign|7replace|5eraseEmm|6insertEm|pL|aS)"
    r"|_ZNSt3__113basic_[io]streamI\w+E(?:(?:ls|rs)E(?!PF)|3put|5write|5flush|4read|3get|7getline|6ignore)"
)


OVERLOADS: Final = regex(r"(?:\.(?:nx)?(?:v\d+)?(?:p\d+|i\d+|bf16|f16|f32|f64|f80|f128|ppcf128|s_\w+|isVoid))+$")


def inactive_function(name: str) -> Inactive | None:
    """The row of a symbol without derivative; None says nothing about it."""
    if name.startswith("llvm."):
        bare = name[5:]
        return INACTIVE_INTRINSICS.get(bare) or INACTIVE_INTRINSICS.get(OVERLOADS.sub("", bare))
    found = INACTIVE.get(name)
    if found is None and name.startswith(("_Z", "_R", "__", "enzyme_build.")):
        found = next((row for pattern, row in PATTERNS if pattern.match(name)), None)
    return found


def compares(known: object) -> bool:
    """Does it find an order or a place by comparing? What it writes itself are numbers of elements."""
    return isinstance(known, Inactive) and known.compares is not None
