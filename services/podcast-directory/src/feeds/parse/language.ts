import { languageOf } from '../../podcasts/languages.ts'

type Identify = (text: string) => Promise<{ readonly alpha2: string | null; readonly possibility: number }>

let identifier: Promise<Identify | undefined> | undefined

/** Loaded by the first feed that needs it; a directory whose feeds all name their language never does. */
async function load(): Promise<Identify | undefined> {
  try {
    const { getLIDModel } = await import('fasttext.wasm.js')
    const model = await getLIDModel()
    await model.load()
    return (text) => model.identify(text)
  } catch {
    return undefined // it is optional: the language then stays unknown
  }
}

const sure = 0.5

/** The language that a text is written in, in the API's words; empty if it is too short or too odd to tell. */
export async function detectLanguage(text: string): Promise<string> {
  if (text.length < 20) return ''
  identifier ??= load()
  const found = await (await identifier)?.(text.slice(0, 2_000).replaceAll('\n', ' '))
  return found?.alpha2 && found.possibility >= sure ? languageOf(found.alpha2) : ''
}
