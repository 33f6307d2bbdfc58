/** Minimal Unicorn run in Node: maps a packed Linux program, answers its stub's system calls, stops at its entry. */
import { readFileSync } from 'node:fs'
import { imageOf, parseElf } from '../../services/unpack-analysis/src/engine/elf/parse.ts'
import { Machine, roundUp } from '../../services/unpack-analysis/src/engine/unicorn/machine.ts'
import { cpuMs } from '../../services/unpack-analysis/src/engine/unicorn/watchdog.ts'

const [path = '', entry = ''] = process.argv.slice(2)
const file = readFileSync(path)
const elf = parseElf(file)
const all = 7
const fixed = 0x10
const begun = cpuMs()
const machine = new Machine(64, 120_000)
machine.map(elf.start, elf.end - elf.start, all)
machine.write(elf.start, imageOf(file, elf))
machine.map(0x7ffd_0000_0000, 0x100000, all)
machine.sp = 0x7ffd_000f_0000
machine.writePointer(machine.sp, 1)
machine.pc = elf.entry
machine.until = Number(entry)
machine.onSystemCall(() => machine.ask())
let next = 0x6ff0_0000_0000

function mapped(): number {
  const size = roundUp(Number(machine.get('si')))
  const isFixed = (Number(machine.get('r10')) & fixed) !== 0
  const at = isFixed ? Number(machine.get('di')) : next
  // Pages of the program are already mapped, except those behind it.
  for (let page = at; page < at + size; page += 0x1000) if (!machine.read(page, 1)) machine.map(page, 0x1000, all)
  if (!isFixed) next += size + 0x10000
  const descriptor = BigInt.asIntN(32, machine.get('r8'))
  const from = Number(machine.get('r9'))
  machine.write(at, Buffer.alloc(size))
  if (descriptor >= 0n) machine.write(at, file.subarray(from, from + size))
  return at
}

const answers: Readonly<Record<number, () => number>> = { 2: () => 3, 9: mapped, 89: () => -2 }
while (machine.run().why === 'asked') {
  machine.set('cx', machine.pc)
  machine.set('ax', BigInt(answers[Number(machine.get('ax'))]?.() ?? 0))
}
if (machine.pc !== machine.until) throw new Error(`It stopped at 0x${machine.pc.toString(16)}.`)
process.stdout.write(String(cpuMs() - begun))
process.exit()
