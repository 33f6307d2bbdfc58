import { limits } from '../../limits.ts'
import { textAt } from '../../memory/texts.ts'
import type { Api, Apis, Call } from '../call.ts'

const maxLength = 0x10000
const first = (call: Call) => textAt(call.process.space, call.argument(0), maxLength)
const second = (call: Call) => textAt(call.process.space, call.argument(1), maxLength)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const place = (call: Call, index: number) => (index < 0 ? 0 : call.argument(0) + index)

const put = (call: Call, at: number, value: string) => {
  call.machine.write(at, Buffer.from(`${value}\0`, 'latin1'))
  return call.argument(0)
}

const copy: Api = (call) => {
  const size = call.argument(2)
  const bytes = size > limits.allocatedBytes ? undefined : call.machine.read(call.argument(1), size)
  if (bytes) call.machine.write(call.argument(0), bytes)
  return call.argument(0)
}

const fill: Api = (call) => {
  const size = call.argument(2)
  if (size <= limits.allocatedBytes) call.machine.write(call.argument(0), Buffer.alloc(size, call.word(1) & 0xff))
  return call.argument(0)
}

const compareBytes: Api = (call) => {
  const size = Math.min(call.argument(2), limits.allocatedBytes)
  const [a, b] = [call.machine.read(call.argument(0), size), call.machine.read(call.argument(1), size)]
  return a && b ? Buffer.compare(a, b) : 0
}

const compareFirst: Api = (call) => {
  const count = call.argument(2)
  return compare(first(call).slice(0, count), second(call).slice(0, count))
}

const number: Api = (call) => Number.parseInt(first(call), 10) || 0

export const textFunctions: Apis = {
  memcpy: copy,
  memmove: copy,
  __memcpy_chk: copy,
  __memmove_chk: copy,
  memset: fill,
  __memset_chk: fill,
  memcmp: compareBytes,
  strlen: (call) => first(call).length,
  strnlen: (call) => Math.min(first(call).length, call.argument(1)),
  strcmp: (call) => compare(first(call), second(call)),
  strncmp: compareFirst,
  strcasecmp: (call) => compare(first(call).toLowerCase(), second(call).toLowerCase()),
  strcpy: (call) => put(call, call.argument(0), second(call)),
  __strcpy_chk: (call) => put(call, call.argument(0), second(call)),
  strncpy: (call) => put(call, call.argument(0), second(call).slice(0, Math.max(0, call.argument(2) - 1))),
  strcat: (call) => put(call, call.argument(0) + first(call).length, second(call)),
  __strcat_chk: (call) => put(call, call.argument(0) + first(call).length, second(call)),
  strchr: (call) => place(call, `${first(call)}\0`.indexOf(String.fromCharCode(call.word(1) & 0xff))),
  strrchr: (call) => place(call, `${first(call)}\0`.lastIndexOf(String.fromCharCode(call.word(1) & 0xff))),
  strstr: (call) => place(call, first(call).indexOf(second(call))),
  strdup(call) {
    const value = first(call)
    const at = call.process.heap.allocate(value.length + 1)
    if (at !== 0) call.machine.write(at, Buffer.from(`${value}\0`, 'latin1'))
    return at
  },
  atoi: number,
  atol: number,
  strtol: number,
  puts: (call) => first(call).length + 1,
  printf: (call) => first(call).length,
  __printf_chk: (call) => second(call).length,
  putchar: (call) => call.word(0),
}
