;; Puts the core together from the streams of scripts/build/core-text.mjs.
;;
;; Memory: at 0 the addresses of the next bytes of the streams, 4 bytes each; at 64 the classes of the opcodes, a byte
;; each; at 512 the tables of the stream that is read, 128 bytes each; at 896 and on what src/unpack.ts puts there.
(module
  (memory (export "m") 1)

  ;; The class of an opcode is the address where its stream is kept, 0 if it has none.
  (data (i32.const 66)
    "\04\04\04"                                     ;; block, loop, if: opcodes
    "\00\00\00\00\00\00\00"
    "\08\08\00\00"                                  ;; br, br_if: labels
    "\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00" ;; call: opcodes
    "\0c\0c\0c"                                     ;; local.get, local.set, local.tee: locals
    "\04\04\00\00\00"                               ;; global.get, global.set: opcodes
    "\10\10\10\10\10\10\10\10\10\10\10\10\10\10"    ;; loads
    "\14\14\14\14\14\14\14\14\14"                   ;; stores
    "\00\00"
    "\04\04")                                       ;; i32.const, i64.const: opcodes

  ;; Turns a stream from characters into bytes. The first 64 characters are hexadecimal digits with a bit for each byte: 1
  ;; if it is a single character.
  (func (export "u") (param $from i32) (param $end i32) (param $to i32) (result i32)
    (local $at i32) (local $byte i32) (local $single i32) (local $pair i32)
    ;; The first table is for single characters, the others are for the second characters after each prefix.
    (local.set $single (i32.const 547))
    (local.set $pair (i32.const 675))
    (loop $byte
      (local.set $at (i32.load8_u (i32.add (local.get $from) (i32.shr_u (local.get $byte) (i32.const 2)))))
      ;; The bits of a digit are those of its character; those of a letter are 9 more.
      (local.set $at (i32.add (local.get $at) (i32.mul (i32.shr_u (local.get $at) (i32.const 6)) (i32.const 9))))
      (if (i32.and (i32.const 1) (i32.shr_u (local.get $at) (i32.and (local.get $byte) (i32.const 3))))
        (then
          (i32.store8 (local.get $single) (local.get $byte))
          (local.set $single (call $next (local.get $single))))
        (else
          (i32.store8 (local.get $pair) (local.get $byte))
          (local.set $pair (call $next (local.get $pair)))))
      (br_if $byte (i32.lt_u (local.tee $byte (i32.add (local.get $byte) (i32.const 1))) (i32.const 256))))
    (local.set $from (i32.add (local.get $from) (i32.const 64)))
    (loop $character
      (local.set $at (i32.load8_u (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      ;; 125 and 126 are prefixes.
      (if (i32.gt_u (local.get $at) (i32.const 124)) (then
        (local.set $at (i32.add (i32.shl (i32.sub (local.get $at) (i32.const 124)) (i32.const 7))
          (i32.load8_u (local.get $from))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))))
      (i32.store8 (local.get $to) (i32.load8_u offset=512 (local.get $at)))
      (local.set $to (i32.add (local.get $to) (i32.const 1)))
      (br_if $character (i32.lt_u (local.get $from) (local.get $end))))
    (local.get $to))

  ;; Returns where in a table the character after this one is kept: 60 and 92 are not used, and 35 comes after 126.
  (func $next (param $at i32) (result i32) (local $character i32)
    (local.set $character (i32.and (local.tee $at (i32.add (local.get $at) (i32.const 1))) (i32.const 127)))
    (i32.add (local.get $at)
      (select (i32.const 36)
        (i32.or (i32.eq (local.get $character) (i32.const 60)) (i32.eq (local.get $character) (i32.const 92)))
        (i32.eq (local.get $character) (i32.const 127)))))

  ;; Writes the core, until the opcodes end; returns its end.
  (func (export "j") (param $end i32) (param $to i32) (result i32)
    (local $from i32) (local $at i32) (local $byte i32) (local $class i32)
    (local.set $from (i32.load (i32.const 4)))
    (loop $opcode
      (local.set $byte (i32.load8_u (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (if (i32.eq (local.get $byte) (i32.const 255))
        (then
          ;; So many bytes of the stream of others.
          (local.set $byte (i32.load8_u (local.get $from)))
          (local.set $from (i32.add (local.get $from) (i32.const 1)))
          (memory.copy (local.get $to) (local.tee $at (i32.load (i32.const 0))) (local.get $byte))
          (i32.store (i32.const 0) (i32.add (local.get $at) (local.get $byte)))
          (local.set $to (i32.add (local.get $to) (local.get $byte))))
        (else
          (i32.store8 (local.get $to) (local.get $byte))
          (local.set $to (i32.add (local.get $to) (i32.const 1)))
          (if (local.tee $class (i32.load8_u offset=64 (local.get $byte)))
            (then
              (if (i32.ge_u (local.get $class) (i32.const 16))
                (then
                  ;; A load or store: its alignment, from the stream of opcodes.
                  (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))
                  (local.set $from (i32.add (local.get $from) (i32.const 1)))
                  (local.set $to (i32.add (local.get $to) (i32.const 1)))))
              ;; The integer may be in the stream of opcodes.
              (i32.store (i32.const 4) (local.get $from))
              (local.set $at (i32.load (local.get $class)))
              (loop $integer
                (i32.store8 (local.get $to) (local.tee $byte (i32.load8_u (local.get $at))))
                (local.set $to (i32.add (local.get $to) (i32.const 1)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (br_if $integer (i32.gt_u (local.get $byte) (i32.const 127))))
              (i32.store (local.get $class) (local.get $at))
              (local.set $from (i32.load (i32.const 4)))))))
      (br_if $opcode (i32.lt_u (local.get $from) (local.get $end))))
    (local.get $to)))
