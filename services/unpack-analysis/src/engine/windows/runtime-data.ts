import { programPath } from './environment.ts'
import type { WindowsProcess } from './process.ts'

/** Writes data exports of the C library into their slots. */
export function fillRuntime({ modules, machine, heap }: WindowsProcess): void {
  const pointerTo = (bytes: Uint8Array) => {
    const at = heap.allocate(bytes.length)
    machine.write(at, bytes)
    return at
  }
  const command = Buffer.from(`"${programPath}"\0`, 'latin1')
  const values: Readonly<Record<string, () => number>> = {
    _acmdln: () => pointerTo(command),
    _wcmdln: () => pointerTo(Buffer.from(command.toString('latin1'), 'utf16le')),
    __initenv: () => pointerTo(Buffer.alloc(16)),
    _environ: () => pointerTo(Buffer.alloc(16)),
    __argc: () => 1,
    _fmode: () => 0x4000,
    _commode: () => 0,
  }
  for (const [name, value] of Object.entries(values))
    machine.writePointer(modules.imported('msvcrt.dll', name).address, value())
}
