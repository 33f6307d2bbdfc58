/** What the page does in the browser: asks an app sentence by sentence, and draws which intents it takes for which. */
export const script = `
const headerName = document.querySelector('main').dataset.header
const $ = (id) => document.getElementById(id)
async function call(path, body) {
  const headers = { [headerName]: $('key').value, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(path, { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}
const ask = (query) => call('prediction/apps/' + $('app').value + '/slots/' + $('slot').value + '/predict?verbose=true&show-all-intents=true', { query })
async function listApps() {
  const apps = await call('apps/?take=500')
  $('app').replaceChildren(...apps.map(({ id, name }) => new Option(name, id)))
  if (apps.length === 0) $('said').value = 'There is no app yet: import one.'
}
async function trySentence() {
  const { prediction } = await ask($('sentence').value)
  const intents = Object.entries(prediction.intents).sort((one, other) => other[1].score - one[1].score).slice(0, 5)
  $('said').value = intents.map(([name, { score }]) => name + ' ' + score.toFixed(3)).join('\\n') + '\\n\\n' + JSON.stringify(prediction.entities, null, 2)
}
function draw(matrix, names) {
  const canvas = $('matrix')
  const cell = Math.max(8, Math.min(48, Math.floor(900 / names.length)))
  const margin = 180
  canvas.width = canvas.height = margin + cell * names.length + 10
  const pen = canvas.getContext('2d')
  pen.font = Math.min(14, Math.max(7, cell - 4)) + 'px system-ui'
  for (const [row, meant] of names.entries()) {
    const total = Object.values(matrix[meant] ?? {}).reduce((sum, one) => sum + one, 0)
    pen.fillStyle = '#222'
    pen.textAlign = 'right'
    pen.fillText(meant.slice(0, 24), margin - 6, margin + cell * row + cell * 0.7)
    for (const [column, answered] of names.entries()) {
      const count = matrix[meant]?.[answered] ?? 0
      const share = total === 0 ? 0 : count / total
      pen.fillStyle = count === 0 ? '#f4f4f4' : row === column ? 'rgba(0,130,70,' + (0.15 + 0.85 * share) + ')' : 'rgba(200,40,20,' + (0.15 + 0.85 * share) + ')'
      pen.fillRect(margin + cell * column, margin + cell * row, cell - 1, cell - 1)
      if (count > 0 && cell >= 18) {
        pen.fillStyle = share > 0.5 ? '#fff' : '#222'
        pen.textAlign = 'center'
        pen.fillText(count, margin + cell * (column + 0.5), margin + cell * row + cell * 0.65)
      }
    }
    pen.save()
    pen.translate(margin + cell * (row + 0.65), margin - 6)
    pen.rotate(-Math.PI / 2)
    pen.fillStyle = '#222'
    pen.textAlign = 'left'
    pen.fillText(meant.slice(0, 24), 0, 0)
    pen.restore()
  }
}
async function testFile() {
  const [file] = $('file').files
  if (!file) return
  const content = JSON.parse(await file.text())
  const known = Array.isArray(content) ? content : (content.LabeledTestSetUtterances ?? content.utterances ?? [])
  const matrix = {}
  const names = new Set(known.map(({ intent }) => intent))
  let right = 0
  for (const [index, { text, intent }] of known.entries()) {
    const { topIntent } = (await ask(text)).prediction
    names.add(topIntent)
    matrix[intent] ??= {}
    matrix[intent][topIntent] = (matrix[intent][topIntent] ?? 0) + 1
    if (topIntent === intent) right++
    if (index % 20 === 19 || index === known.length - 1) {
      $('progress').value = right + ' of ' + (index + 1) + ' right, of ' + known.length
      draw(matrix, [...names].sort())
    }
  }
}
const trying = (work) => async () => {
  try { await work() } catch (error) { $('said').value = error.message }
}
$('key').addEventListener('change', trying(listApps))
$('ask').addEventListener('click', trying(trySentence))
$('file').addEventListener('change', trying(testFile))
trying(listApps)()
`
