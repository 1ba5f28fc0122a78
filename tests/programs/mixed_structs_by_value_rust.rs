#[repr(C)] pub struct FF { a: f32, b: f32 }
#[repr(C)] pub struct FI { a: f32, n: i32 }
#[repr(C)] pub struct DI { a: f64, n: i32 }
#[repr(C)] pub struct DD { a: f64, b: f64 }
#[repr(C)] pub struct PD { p: *const f64, s: f64 }
#[repr(C)] pub struct FFF { a: f32, b: f32, c: f32 }
#[repr(C)] pub struct II { a: i32, b: i32 }
#[repr(C)] pub struct DDD { a: f64, b: f64, c: f64 }
#[repr(C)] pub struct D1 { v: f64 }
#[no_mangle] pub extern "C" fn r_ff(s: FF) -> f64 { (s.a * s.b) as f64 }
#[no_mangle] pub extern "C" fn r_fi(s: FI) -> f64 { s.a.powi(s.n) as f64 }
#[no_mangle] pub extern "C" fn r_di(s: DI) -> f64 { s.a.powi(s.n) }
#[no_mangle] pub extern "C" fn r_dd(s: DD) -> f64 { s.a * s.b }
#[no_mangle] pub extern "C" fn r_pd(s: PD, k: II) -> f64 { unsafe { *s.p.add(k.a as usize) * s.s + *s.p.add(k.b as usize) } }
#[no_mangle] pub extern "C" fn r_fff(s: FFF) -> f64 { (s.a * s.b + s.c * s.c) as f64 }
#[no_mangle] pub extern "C" fn r_ddd(s: DDD) -> f64 { s.a * s.b + s.c.sin() }
#[no_mangle] pub extern "C" fn r_d1(s: D1) -> f64 { s.v.exp() }
#[no_mangle] pub extern "C" fn r_mk_ff(a: f64, b: f64) -> FF { FF { a: a as f32, b: (b * b) as f32 } }
#[no_mangle] pub extern "C" fn r_mk_fi(a: f64) -> FI { FI { a: a.sin() as f32, n: 3 } }
#[no_mangle] pub extern "C" fn r_mk_di(a: f64) -> DI { DI { a: a.cos(), n: 2 } }
#[no_mangle] pub extern "C" fn r_mk_pd(p: *const f64, s: f64) -> PD { PD { p, s: s * 2.0 } }
#[no_mangle] pub extern "C" fn r_mk_fff(a: f64) -> FFF { FFF { a: a as f32, b: 0.0, c: a.sin() as f32 } }
#[no_mangle] pub extern "C" fn r_mk_ddd(a: f64) -> DDD { DDD { a, b: a * a, c: a.sin() } }
