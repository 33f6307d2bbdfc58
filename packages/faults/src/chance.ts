import { hash } from 'node:crypto'

/** A number from 0 to below 1 for the nth call that a fault looks at: the same for the same seed, whatever the machine. */
export function chance(seed: number, name: string, nth: number): number {
  const digest = hash('sha256', `${seed} ${name} ${nth}`, 'buffer')
  return digest.readUIntBE(0, 6) / 2 ** 48
}
