import { expect, test } from 'vitest'
import { aLaw, muLaw } from './g711.ts'

const everySample = Array.from({ length: 65_536 }, (_, index) => index - 32_768)

test('encoded bytes match the standard', () => {
  const [quiet, loud] = [0, 32_767]
  expect([muLaw.encode(quiet), muLaw.encode(loud), muLaw.encode(-32_768)]).toEqual([0xff, 0x80, 0x00])
  expect([aLaw.encode(quiet), aLaw.encode(loud), aLaw.encode(-32_768)]).toEqual([0xd5, 0xaa, 0x2a])
  expect([muLaw.encode(1_000), muLaw.encode(-1_000), aLaw.encode(1_000), aLaw.encode(-1_000)]).toEqual([
    0xce, 0x4e, 0xfa, 0x7a,
  ])
})

test.each([
  ['mu-law', muLaw, 8],
  ['A-law', aLaw, 8],
] as const)('%s encodes every sample within a sixteenth, and decoded samples exactly', (_, law, floor) => {
  const inexact = everySample.filter((sample) => {
    const bounded = Math.max(-32_635, Math.min(32_635, sample))
    return Math.abs(law.decode(law.encode(sample)) - bounded) > Math.max(floor, Math.abs(sample) / 16)
  })
  expect(inexact).toEqual([])
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const changed = bytes.filter((byte) => law.decode(law.encode(law.decode(byte))) !== law.decode(byte))
  expect(changed).toEqual([])
})
