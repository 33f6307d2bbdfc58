/** Minimal Unicorn run in Node: maps a packed program, answers a few functions, stops at code outside the stub. */
import { readFileSync } from 'node:fs'
import { importsOf } from '../../services/unpack-analysis/src/engine/pe/imports.ts'
import { imageOf, parsePe } from '../../services/unpack-analysis/src/engine/pe/parse.ts'
import { Machine } from '../../services/unpack-analysis/src/engine/unicorn/machine.ts'
import { cpuMs } from '../../services/unpack-analysis/src/engine/unicorn/watchdog.ts'

const file = readFileSync(process.argv[2] ?? '')
const pe = parsePe(file)
const image = imageOf(file, pe)
const [data, all] = [3, 7]
const api = pe.bits === 64 ? 0x7ff0_0000_0000 : 0x7100_0000
const slots = importsOf(image, pe)
for (const [index, { slot }] of slots.entries())
  if (pe.bits === 64) image.writeBigUInt64LE(BigInt(api + index * 16), slot)
  else image.writeUInt32LE(api + index * 16, slot)
const begun = cpuMs()
const machine = new Machine(pe.bits, 120_000)
const stub = pe.sections.find(({ address, virtualSize }) => pe.entry >= address && pe.entry < address + virtualSize)
if (!stub) throw new Error('The entry point lies in no section.')
const from = stub.address
const end = from + Math.ceil(stub.virtualSize / 0x1000) * 0x1000
machine.map(pe.base, from, data)
machine.map(pe.base + from, end - from, all)
if (pe.imageSize > end) machine.map(pe.base + end, pe.imageSize - end, data)
machine.map(0x20000, 0x100000, data)
machine.map(0x6ff0_0000, 0x1000, data)
machine.write(pe.base, image)
machine.setThreadData(0x6ff0_0000, 0x6ff0_0000, 'gs')
machine.sp = 0x110000
machine.push(api + 0xf000)
machine.pc = pe.base + pe.entry
const pops: Readonly<Record<string, number>> = { LoadLibraryA: 1, GetProcAddress: 2, VirtualProtect: 4, ExitProcess: 1 }
for (;;) {
  machine.run()
  const called = slots[(machine.pc - api) / 16]
  if (!called) {
    // Steps over a call of the stub into the program.
    const returnTo = machine.readPointer(machine.sp)
    const isCall = returnTo >= pe.base + from && returnTo < pe.base + end
    if (!isCall) break
    machine.sp += machine.pointerSize + (pe.bits === 32 ? 12 : 0)
    machine.pc = returnTo
    continue
  }
  machine.set('ax', 1)
  machine.pc = machine.pop()
  if (pe.bits === 32) machine.sp += 4 * (pops[called.name] ?? 0)
}
process.stdout.write(String(cpuMs() - begun))
process.exit()
