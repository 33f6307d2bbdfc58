import { binding } from './binding.ts'
import { pathOf } from './tables.ts'

const languages = new Map<string, string>()

/** BCP 47 tag of a table's language. */
export function languageOf(tableId: string): string {
  let language = languages.get(tableId)
  if (language === undefined) {
    language = binding().metadata(pathOf(tableId), 'language') ?? 'und'
    languages.set(tableId, language)
  }
  return language
}
