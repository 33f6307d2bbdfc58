import { escaped } from '../text/escaped.ts'

/** Paragraphs and a link as a mail: the same as a text and as HTML. */
export function mailOf(subject: string, paragraphs: readonly string[], link?: { text: string; url: string }) {
  const shown = paragraphs.filter((one) => one.trim() !== '')
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(subject)}</title></head><body>`,
    ...shown.map((one) => `<p>${escaped(one).replaceAll('\n', '<br>')}</p>`),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`] : []),
    '</body></html>',
  ].join('')
  const text = [...shown, ...(link ? [`${link.text}: ${link.url}`] : [])].join('\n\n')
  return { subject: subject.replace(/\s+/g, ' ').slice(0, 200), text, html }
}
