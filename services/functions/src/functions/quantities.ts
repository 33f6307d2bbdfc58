import { invalid } from '@icosa/kernel'

const units: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
}

const minBytes = 128e6
const maxBytes = 32 * 2 ** 30

/** Parses `256M`, `1Gi` or bytes. */
export function memoryBytes(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)(k|M|G|Ki|Mi|Gi)?$/.exec(text) ?? []
  const bytes = Math.round(Number(number) * (units[unit] ?? 0))
  if (number === '' || bytes < minBytes || bytes > maxBytes)
    invalid([
      { at: 'body/serviceConfig/availableMemory', message: `is '${text}': send 128M to 32Gi, such as 256M or 1Gi` },
    ])
  return bytes
}

/** Parses `1`, `0.5` or `500m`. */
export function processors(text: string): number {
  const [, number = '', milli = ''] = /^(\d{1,4}(?:\.\d{1,6})?)(m?)$/.exec(text) ?? []
  const count = Number(number) / (milli ? 1000 : 1)
  if (number === '' || count < 0.08 || count > 8)
    invalid([{ at: 'body/serviceConfig/availableCpu', message: `is '${text}': send 0.08 to 8, such as 0.5 or 500m` }])
  return count
}

const byMemory: readonly (readonly [upToBytes: number, cpu: string])[] = [
  [128 * 2 ** 20, '0.083'],
  [256 * 2 ** 20, '0.1666'],
  [512 * 2 ** 20, '0.333'],
  [1024 * 2 ** 20, '0.583'],
  [4 * 2 ** 30, '1'],
  [8 * 2 ** 30, '2'],
]

/** Depends on the memory; at least one with concurrent requests. */
export function defaultCpu(memory: number, concurrency: number): string {
  const [, cpu = '4'] = byMemory.find(([upToBytes]) => memory <= upToBytes) ?? []
  return concurrency > 1 && Number(cpu) < 1 ? '1' : cpu
}
