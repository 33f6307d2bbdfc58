import { languageOf } from '../../podcasts/languages.ts'

type Identify = (text: string) => Promise<{ readonly alpha2: string | null; readonly possibility: number }>

let identifier: Promise<Identify | undefined> | undefined

/** Loaded for the first feed without a language. */
async function load(): Promise<Identify | undefined> {
  try {
    const { getLIDModel } = await import('fasttext.wasm.js')
    const model = await getLIDModel()
    await model.load()
    return (text) => model.identify(text)
  } catch {
    return undefined // optional: without it, the language stays unknown
  }
}

const minProbability = 0.5

/** The API's name of a text's language; empty if it cannot be detected. */
export async function detectLanguage(text: string): Promise<string> {
  if (text.length < 20) return ''
  identifier ??= load()
  const result = await (await identifier)?.(text.slice(0, 2_000).replaceAll('\n', ' '))
  return result?.alpha2 && result.possibility >= minProbability ? languageOf(result.alpha2) : ''
}
