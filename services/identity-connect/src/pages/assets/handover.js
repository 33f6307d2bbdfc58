// In the window that a frame opened. The frame goes on with the outcome; without one, this window does.
const { href } = document.getElementById('outcome')
const patienceMs = 1000
const goOn = () => location.replace(href)

if (opener === null) goOn()
else {
  const waiting = setTimeout(goOn, patienceMs)
  addEventListener('message', ({ data, origin, source }) => {
    if (origin !== location.origin || source !== opener || data !== 'taken') return
    clearTimeout(waiting)
    close()
  })
  // Only a page of ours hears it: the outcome is for the application, whoever opened this window.
  opener.postMessage({ outcome: href }, location.origin)
}
