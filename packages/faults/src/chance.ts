import { hash } from 'node:crypto'

/** Deterministic pseudorandom number in [0, 1) for the nth call that a fault matches. */
export function chance(seed: number, name: string, nth: number): number {
  const digest = hash('sha256', `${seed} ${name} ${nth}`, 'buffer')
  return digest.readUIntBE(0, 6) / 2 ** 48
}
