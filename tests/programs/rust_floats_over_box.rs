// check: array n=6 tol=1e-2 identity=1e-5 stopped=-O2-fno-inline
// Two floats of which one lies where an error has a box, the other beside the tag: the optimiser reads both variants as one.
#[derive(Clone,Copy,Debug)] struct M{a:f32,b:f32}
fn make(v:f64,k:usize)->Result<M,Box<f64>>{ if k<2 { Ok(M{a:v as f32,b:(v*v) as f32}) } else { Err(Box::new(v*3.0)) } }
#[no_mangle]
pub extern "C" fn objective(x:*const f64,n:i32)->f64{
  let x=unsafe{std::slice::from_raw_parts(x,n as usize)}; let mut t=0.0; let mut v:Vec<Result<M,Box<f64>>>=Vec::new(); for i in 0..x.len(){ v.insert(i/2, make(x[i],i%3)); } v.swap(0,3); while let Some(r)=v.pop(){ match r { Ok(m)=>t+=m.a as f64*m.b as f64, Err(e)=>t+=*(&*e as &f64) } } t
}
