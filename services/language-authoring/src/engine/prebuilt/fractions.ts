import type { ModelResult } from './recognizers.ts'

const shift = /^(?:in\s+(?<ahead>.+)|(?<past>.+)\s+ago|(?<later>.+)\s+(?:from now|later))$/i
const fraction = /^P(?:T?\d*\.\d+[HMS]|\d*\.\d+[DW])$/

/** Recognizers only subtract whole units: they read "two and a half hours ago" as two hours ago. */
export function withFractions(
  results: readonly ModelResult[],
  reference: Date,
  durationOf: (text: string) => ModelResult | undefined,
): ModelResult[] {
  return results.map((result) => {
    const { ahead, past, later } = shift.exec(result.text)?.groups ?? {}
    const length = ahead ?? past ?? later
    const duration = length === undefined ? undefined : durationOf(length)
    const [{ timex = '', value = '' } = {}] = (duration?.resolution?.values ?? []) as Record<string, string>[]
    if (duration?.text.length !== length?.length || !fraction.test(timex)) return result
    const seconds = past === undefined ? Number(value) : -Number(value)
    const [date, time] = formatted(new Date(reference.getTime() + seconds * 1000))
    const isTime = timex.startsWith('PT')
    const type = isTime ? 'datetime' : 'date'
    const at = isTime ? { timex: `${date}T${time}`, value: `${date} ${time}` } : { timex: date, value: date }
    return { ...result, typeName: `datetimeV2.${type}`, resolution: { values: [{ ...at, type }] } }
  })
}

/** Formats the local fields, which are those of the user's clock. */
function formatted(at: Date): [date: string, time: string] {
  const two = (number: number) => String(number).padStart(2, '0')
  return [
    `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`,
  ]
}
