import type { Process } from '../program.ts'
import type { Layer } from '../report.ts'
import type { Stopped } from '../stopped.ts'
import type { Transition } from './layers.ts'

export interface Outcome {
  /** Transition at which the program was completely unpacked. */
  readonly chosen?: Transition
  readonly why: string
  readonly layers: readonly Layer[]
}

/**
 * Selects the last transition as the original's entry point. A call that returned was only a function of the program, such as
 * a TLS callback, unless nothing followed it. Code outside a program, reached after unpacking, is behaviour of the program,
 * not a layer.
 */
export function outcomeOf(
  { layers: { transitions }, isProgram, started }: Pick<Process, 'layers' | 'isProgram' | 'started'>,
  stopped: Stopped,
  packer: string,
): Outcome {
  const usable = transitions.filter(({ memory }) => memory.size > 0)
  const lasting = usable.filter(({ hasReturned }) => !hasReturned)
  const chosen = lasting.findLast(isProgram) ?? lasting.at(-1) ?? usable.at(-1)
  const remaining = transitions.filter((transition) => !transition.hasReturned || transition === chosen)
  const layers = remaining.map(
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

/** Known packers unpack a complete program: code outside of one is part of their stubs. */
const isKnown = (packer: string) => packer !== 'none' && !packer.startsWith('unknown')

const stubOnly = (packer: string, { text }: Stopped) =>
  `Nothing was unpacked: the emulation ended inside the stub of ${packer}, before it went to the program, because ${text}.`

function whyNot({ why, text }: Stopped): string {
  if (why === 'limit')
    return `A limit ended the emulation before anything was unpacked: ${text}. The program may well be packed.`
  const end = `Its emulation ended because ${text}.`
  if (why === 'fault')
    return `Nothing was unpacked. ${end} The program may be packed in a way that this engine does not support.`
  return `Nothing was unpacked: the program runs from its own entry point without writing code. ${end}`
}
