;; Compares the signature at every `step` bytes with the probe, and writes the (offset, distance) pairs up to `cutoff`.
(module
  (import "memory" "signatures" (memory $signatures 1 65536 shared))
  (import "memory" "pairs" (memory $pairs 1 65536))

  (func (export "scan") (param $at i32) (param $end i32) (param $step i32) (param $cutoff i32)
    (param $probe0 i64) (param $probe1 i64) (param $probe2 i64) (param $probe3 i64) (result i32)
    (local $out i32) (local $distance i32)
    (loop $faces
      (i64.popcnt (i64.xor (i64.load $signatures (local.get $at)) (local.get $probe0)))
      (i64.popcnt (i64.xor (i64.load $signatures offset=8 (local.get $at)) (local.get $probe1)))
      i64.add
      (i64.popcnt (i64.xor (i64.load $signatures offset=16 (local.get $at)) (local.get $probe2)))
      i64.add
      (i64.popcnt (i64.xor (i64.load $signatures offset=24 (local.get $at)) (local.get $probe3)))
      i64.add
      (local.tee $distance (i32.wrap_i64))
      (if (i32.le_u (local.get $cutoff))
        (then
          (i32.store $pairs (local.get $out) (local.get $at))
          (i32.store $pairs offset=4 (local.get $out) (local.get $distance))
          (local.set $out (i32.add (local.get $out) (i32.const 8)))))
      (local.tee $at (i32.add (local.get $at) (local.get $step)))
      (br_if $faces (i32.lt_u (local.get $end))))
    (local.get $out)))
