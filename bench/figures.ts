import { readFileSync } from 'node:fs'

/** CPU time of a process so far, all its threads. */
export function cpuUsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const tickUs = 10_000
  return (Number(fields[11]) + Number(fields[12])) * tickUs
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
