const linesOnPage = 55
const lineHeight = 13

/** Letters that the font of a plain PDF has; others become a question mark. */
const latin = (text: string) =>
  [...text.normalize('NFC')].map((letter) => ((letter.codePointAt(0) ?? 0) <= 255 ? letter : '?')).join('')

const escaped = (text: string) =>
  latin(text)
    .replace(/[\\()]/g, (sign) => `\\${sign}`)
    .replace(/[\r\n]/g, ' ')

/** Lines of text on as many pages of A4 as it takes. */
export function pdfOf(lines: readonly string[], title: string): Uint8Array {
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / linesOnPage)) }, (_, nth) =>
    lines.slice(nth * linesOnPage, (nth + 1) * linesOnPage),
  )
  const firstPage = 5
  const kids = pages.map((_, nth) => `${firstPage + nth * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    `<< /Title (${escaped(title)}) >>`,
    ...pages.flatMap((page, nth) => {
      const text = page.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
      const content = `BT /F1 9 Tf ${lineHeight} TL 40 800 Td\n${text}\nET`
      const size = '/MediaBox [0 0 595 842]'
      return [
        `<< /Type /Page /Parent 2 0 R ${size} /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + nth * 2 + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, nth) => {
    const offset = text.length
    text += `${nth + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  text += `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
