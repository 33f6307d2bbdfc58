import { binding } from './binding.ts'
import { pathOf } from './tables.ts'

const languages = new Map<string, string>()

/** The language that a table writes, as a BCP 47 tag. */
export function languageOf(tableId: string): string {
  let language = languages.get(tableId)
  if (language === undefined) {
    language = binding().metadata(pathOf(tableId), 'language') ?? 'und'
    languages.set(tableId, language)
  }
  return language
}
