import type { Process } from '../program.ts'
import type { Layer } from '../report.ts'
import type { Stopped } from '../stopped.ts'
import type { Transition } from './layers.ts'

export interface Outcome {
  /** The moment at which the program was whole. */
  readonly chosen?: Transition
  readonly why: string
  readonly layers: readonly Layer[]
}

/**
 * Of the moments at which a program went to code of its own making, the last one is where the original began. A call that came
 * back was only a function of the program, such as one for a thread's data, unless nothing followed it. Loose code that the
 * program goes to once it is whole is no layer but what the program does.
 */
export function outcomeOf(
  { layers: { transitions }, isProgram, started }: Pick<Process, 'layers' | 'isProgram' | 'started'>,
  stopped: Stopped,
  packer: string,
): Outcome {
  const usable = transitions.filter(({ memory }) => memory.size > 0)
  const lasting = usable.filter(({ hasReturned }) => !hasReturned)
  const chosen = lasting.findLast(isProgram) ?? lasting.at(-1) ?? usable.at(-1)
  const lasted = transitions.filter((one) => !one.hasReturned || one === chosen)
  const layers = lasted.map(
    ({ target, region, isCall, calls }): Layer => ({
      address: target,
      where: region.name,
      how: isCall ? 'call' : 'jump',
      afterCalls: calls,
    }),
  )
  if (chosen && !started && isKnown(packer) && !isProgram(chosen)) return { layers, why: stubOnly(packer, stopped) }
  return { ...(chosen && { chosen }), layers, why: chosen || started ? '' : whyNot(stopped) }
}

/** Known packers go to a whole program: loose code is only a part of their stubs. */
const isKnown = (packer: string) => packer !== 'none' && !packer.startsWith('unknown')

const stubOnly = (packer: string, { text }: Stopped) =>
  `Nothing was unpacked: the emulation ended inside the stub of ${packer}, before it went to the program, because ${text}.`

function whyNot({ why, text }: Stopped): string {
  if (why === 'limit')
    return `A limit ended the emulation before anything was unpacked: ${text}. The program may well be packed.`
  const end = `Its emulation ended because ${text}.`
  if (why === 'fault')
    return `Nothing was unpacked. ${end} The program may be packed in a way that this engine does not follow.`
  return `Nothing was unpacked: the program runs from its own entry point without writing code. ${end}`
}
