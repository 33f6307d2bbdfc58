import koffi from 'koffi'

/** A pointer of the library. */
export type Handle = object

type Call<Args extends unknown[]> = (...args: Args) => number

/** Bindings of libunicorn 2. Calls return 0 or an error of the library. */
export interface Library {
  readonly open: Call<[architecture: number, mode: number, handle: [Handle | null]]>
  readonly close: Call<[uc: Handle]>
  readonly map: Call<[uc: Handle, address: number, size: number, permissions: number]>
  readonly unmap: Call<[uc: Handle, address: number, size: number]>
  readonly protect: Call<[uc: Handle, address: number, size: number, permissions: number]>
  readonly read: Call<[uc: Handle, address: number, into: Uint8Array, size: number]>
  readonly write: Call<[uc: Handle, address: number, from: Uint8Array, size: number]>
  readonly readRegister: Call<[uc: Handle, register: number, into: Uint8Array]>
  readonly writeRegister: Call<[uc: Handle, register: number, from: Uint8Array]>
  readonly start: Call<[uc: Handle, begin: number, until: number, timeoutUs: number, count: number]>
  readonly stop: Call<[uc: Handle]>
  /** Discards translated code: the library does not notice changes of permissions or bytes from outside. */
  forget(uc: Handle, from: number, to: number): void
  hookMemory(uc: Handle, types: number, callback: (address: number) => void): void
  hookInterrupts(uc: Handle, callback: (number: number) => void): void
  hookSystemCalls(uc: Handle, callback: () => void): void
  hookBlocks(uc: Handle, from: number, to: number, callback: (address: number, size: number) => void): void
  addressOf(uc: Handle): bigint
  readonly version: string
}

const removeTranslated = 9 + 2 * 2 ** 26 + 2 ** 30
const hookOf = { interrupts: 1, instruction: 2, blocks: 8 }
const systemCall = 699

/** Loads Debian's libunicorn2, which is GPL: only in the engine's own process. */
export function loadLibrary(): Library {
  const library = koffi.load('libunicorn.so.2')
  const call = <Args extends unknown[]>(signature: string) => library.func(signature) as unknown as Call<Args>
  const add = library.func('int uc_hook_add(void *, _Out_ size_t *, int, void *, void *, uint64 from, uint64 to, ...)')
  const control = library.func('int uc_ctl(void *, uint32, ...)')
  const memory = koffi.proto('bool Memory(void *uc, int type, uint64 address, int size, int64 value, void *)')
  const interrupt = koffi.proto('void Interrupt(void *uc, uint32 number, void *)')
  const plain = koffi.proto('void Plain(void *uc, void *)')
  const block = koffi.proto('void Block(void *uc, uint64 address, uint32 size, void *)')
  /** koffi supports 8,192 callbacks: those of a machine are unregistered with it. */
  const registered = new Map<Handle, ReturnType<typeof koffi.register>[]>()
  const register = (uc: Handle, callback: (...values: never[]) => unknown, type: ReturnType<typeof koffi.proto>) => {
    const pointer = koffi.register(callback as () => unknown, koffi.pointer(type))
    registered.set(uc, [...(registered.get(uc) ?? []), pointer])
    return pointer
  }
  const closeMachine = call('int uc_close(void *)')
  const hook = (uc: Handle, type: number, callback: unknown, from = 1, to = 0, ...more: unknown[]) =>
    add(uc, [0], type, callback, null, from, to, ...more)
  const major = [0]
  const minor = [0]
  library.func('uint32 uc_version(_Out_ uint32 *, _Out_ uint32 *)')(major, minor)
  return {
    open: call('int uc_open(int, int, _Out_ void **)'),
    close(uc) {
      const error = closeMachine(uc)
      for (const callback of registered.get(uc) ?? []) koffi.unregister(callback)
      registered.delete(uc)
      return error
    },
    map: call('int uc_mem_map(void *, uint64, size_t, uint32)'),
    unmap: call('int uc_mem_unmap(void *, uint64, size_t)'),
    protect: call('int uc_mem_protect(void *, uint64, size_t, uint32)'),
    read: call('int uc_mem_read(void *, uint64, _Out_ void *, size_t)'),
    write: call('int uc_mem_write(void *, uint64, const void *, size_t)'),
    readRegister: call('int uc_reg_read(void *, int, _Out_ void *)'),
    writeRegister: call('int uc_reg_write(void *, int, const void *)'),
    start: call('int uc_emu_start(void *, uint64, uint64, uint64, size_t)'),
    stop: call('int uc_emu_stop(void *)'),
    forget: (uc, from, to) => void control(uc, removeTranslated, 'uint64', from, 'uint64', to),
    hookMemory(uc, types, callback) {
      const onFault = (_: unknown, __: number, address: number | bigint) => {
        callback(Number(address))
        return false
      }
      hook(uc, types, register(uc, onFault, memory))
    },
    hookInterrupts(uc, callback) {
      hook(
        uc,
        hookOf.interrupts,
        register(uc, (_: unknown, number: number) => callback(number), interrupt),
      )
    },
    hookSystemCalls(uc, callback) {
      const pointer = register(uc, () => callback(), plain)
      hook(uc, hookOf.instruction, pointer, 1, 0, 'int', systemCall)
    },
    hookBlocks(uc, from, to, callback) {
      const onBlock = (_: unknown, address: number | bigint, size: number) => callback(Number(address), size)
      hook(uc, hookOf.blocks, register(uc, onBlock, block), from, to)
    },
    addressOf: (uc) => koffi.address(uc) as bigint,
    version: `${major[0]}.${minor[0]}`,
  }
}
