import { escaped } from '../text/escaped.ts'

/** Renders paragraphs and a link as plain text and HTML. */
export function mailOf(subject: string, paragraphs: readonly string[], link?: { text: string; url: string }) {
  const nonEmpty = paragraphs.filter((paragraph) => paragraph.trim() !== '')
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(subject)}</title></head><body>`,
    ...nonEmpty.map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`] : []),
    '</body></html>',
  ].join('')
  const text = [...nonEmpty, ...(link ? [`${link.text}: ${link.url}`] : [])].join('\n\n')
  return { subject: subject.replace(/\s+/g, ' ').slice(0, 200), text, html }
}
