/** General registers by their common names, with the library's numbers. */
const names = ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'sp', 'ip', 'flags'] as const
const extended = ['r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15'] as const

export type RegisterName = (typeof names)[number] | (typeof extended)[number]

const numbersOf = (numbers: readonly number[]) =>
  Object.fromEntries(names.map((name, index) => [name, numbers[index] ?? 0]))

export const registers: Readonly<Record<32 | 64, Readonly<Record<string, number>>>> = {
  32: numbersOf([19, 21, 22, 24, 29, 23, 20, 30, 26, 25]),
  64: {
    ...numbersOf([35, 37, 38, 40, 43, 39, 36, 44, 41, 25]),
    ...Object.fromEntries(extended.map((name, index) => [name, 106 + index])),
  },
}

export const segments = { cs: 11, ds: 17, es: 28, fs: 32, gs: 33, ss: 49, gdtr: 243, fsBase: 250, gsBase: 251 }
