import type { Bits } from './build.ts'

/** Assembly of a packer, which decrypts the code of a program and jumps there. */
export interface Stub {
  readonly source: string
  readonly cipher: (bytes: Buffer) => Buffer
  /** Whether it runs before the unchanged entry point. */
  readonly isTlsCallback?: true
  /** Number of bytes of the original entry point that it runs itself. */
  readonly steals?: number
}

const key = 0x5a

const xor = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ key))

const secret = Buffer.from('swordfish')

function rc4(bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number) => state[index & 255] as number
  const swap = (i: number, j: number) => {
    ;[state[i], state[j]] = [at(j), at(i)]
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (secret[i % secret.length] as number)) & 255
    swap(i, j)
  }
  let i = 0
  let j = 0
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

/** Names of registers for both bitnesses. */
const registers = (bits: Bits) =>
  ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'sp', 'bp']
    .map((name) => `%define ${name}_ ${bits === 64 ? 'r' : 'e'}${name}`)
    .join('\n')

const pushAll = (bits: Bits) => (bits === 64 ? 'push rax\npush rcx\npush rdx\npush rsi\npush rdi\npush rbx' : 'pushad')
const popAll = (bits: Bits) => (bits === 64 ? 'pop rbx\npop rdi\npop rsi\npop rdx\npop rcx\npop rax' : 'popad')

const xorLoop = (bits: Bits) => `
${pushAll(bits)}
mov si_, TEXT
mov cx_, SIZE
.next: xor byte [si_], ${key}
inc si_
dec cx_
jnz .next
${popAll(bits)}`

const rc4Loop = (bits: Bits) => `
${pushAll(bits)}
sub sp_, 256
mov di_, sp_
xor ecx, ecx
.fill: mov [di_ + cx_], cl
inc cl
jnz .fill
xor ebx, ebx
xor edx, edx
mov si_, secret
.schedule: mov al, [di_ + cx_]
add bl, al
add bl, [si_ + dx_]
inc edx
cmp edx, ${secret.length}
jb .inside
xor edx, edx
.inside: mov ah, [di_ + bx_]
mov [di_ + bx_], al
mov [di_ + cx_], ah
inc cl
jnz .schedule
xor ecx, ecx
xor ebx, ebx
mov si_, TEXT
mov bp_, TEXT + SIZE
.next: inc cl
mov al, [di_ + cx_]
add bl, al
mov ah, [di_ + bx_]
mov [di_ + bx_], al
mov [di_ + cx_], ah
add al, ah
movzx edx, al
mov al, [di_ + dx_]
xor [si_], al
inc si_
cmp si_, bp_
jb .next
add sp_, 256
${popAll(bits)}
jmp OEP
secret: db '${secret}'`

/** Debugger checks by the PEB and by elapsed time. */
const checks = (bits: Bits) => `
${bits === 64 ? 'mov rax, [gs:0x60]' : 'mov eax, [fs:0x30]'}
cmp byte [ax_ + 2], 0
jne caught
test dword [ax_ + ${bits === 64 ? '0xbc' : '0x68'}], 0x70
jne caught
rdtsc
mov ebx, eax
rdtsc
sub eax, ebx
cmp eax, 0x1000000
ja caught`

const assembly = (bits: Bits, source: string) =>
  `bits ${bits}\n${bits === 64 ? 'default rel\n' : ''}${registers(bits)}\norg STUB\n${source}`

/** On 32 bits a frame handles the exception, on 64 bits the filter for unhandled ones. */
const exceptionTail = (bits: Bits) =>
  bits === 64
    ? `sub rsp, 0x28
lea rcx, [handler]
mov rax, FILTER
call [rax]
add rsp, 0x28
int3
handler: mov rdx, [rcx + 8]
mov rax, OEP
mov [rdx + 0xf8], rax
mov eax, -1
ret`
    : `push handler
push dword [fs:0]
mov [fs:0], esp
xor ecx, ecx
div ecx
handler: mov eax, [esp + 12]
mov dword [eax + 0xb8], OEP
add dword [eax + 0xc4], 8
xor eax, eax
ret`

/** Size of mingw-w64's first instruction at the entry point. */
const stolenSize = (bits: Bits) => (bits === 64 ? 4 : 10)

export const stubs = {
  XOR: (bits) => ({ cipher: xor, source: assembly(bits, `${xorLoop(bits)}\njmp OEP`) }),
  RC4: (bits) => ({ cipher: rc4, source: assembly(bits, rc4Loop(bits)) }),
  'push and ret': (bits) => ({
    cipher: xor,
    source: assembly(bits, `${xorLoop(bits)}\n${bits === 64 ? 'mov rax, OEP\npush rax' : 'push OEP'}\nret`),
  }),
  'a call of the entry point': (bits) => ({
    cipher: xor,
    source: assembly(bits, `${xorLoop(bits)}\nsub sp_, 8\ncall OEP\nadd sp_, 8\nret`),
  }),
  'an exception as tail jump': (bits) => ({
    cipher: xor,
    source: assembly(bits, `${xorLoop(bits)}\n${exceptionTail(bits)}`),
  }),
  'a TLS callback': (bits) => ({
    cipher: xor,
    isTlsCallback: true,
    source: assembly(bits, `${xorLoop(bits)}\nret${bits === 64 ? '' : ' 12'}`),
  }),
  'checks for debuggers': (bits) => ({
    cipher: xor,
    source: assembly(bits, `${checks(bits)}\n${xorLoop(bits)}\njmp OEP\ncaught: xor eax, eax\nret`),
  }),
  'stolen bytes': (bits) => ({
    cipher: xor,
    steals: stolenSize(bits),
    source: assembly(bits, `${xorLoop(bits)}\ndb STOLEN\njmp OEP + ${stolenSize(bits)}`),
  }),
  'stolen bytes, jumped to by a register': (bits) => ({
    cipher: xor,
    steals: stolenSize(bits),
    source: assembly(bits, `${xorLoop(bits)}\ndb STOLEN\nmov dx_, OEP + ${stolenSize(bits)}\njmp dx_`),
  }),
} as const satisfies Readonly<Record<string, (bits: Bits) => Stub>>
