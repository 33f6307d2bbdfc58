import type { AppDocument } from './document.ts'
import type { TextRules } from './text/phrases.ts'

function isOn(app: Pick<AppDocument, 'settings'>, name: string): boolean {
  const setting = app.settings.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
  return String(setting?.value).toLowerCase() === 'true'
}

export function textRules(app: Pick<AppDocument, 'culture' | 'settings'>): TextRules {
  return {
    culture: app.culture,
    normalizeDiacritics: isOn(app, 'NormalizeDiacritics'),
    normalizePunctuation: isOn(app, 'NormalizePunctuation'),
  }
}
