// Long work in short slices, so that the page stays alive.

// Run the generator `work` to its end; between slices of `milliseconds` the browser draws and hears.
// `heard`: called after each slice with what the generator yielded last.  Resolves to what it returns.
export function inSlices(work, milliseconds, heard) {
  return new Promise((resolve, reject) => {
    const channel = new MessageChannel();
    let last = null;
    channel.port1.onmessage = () => {
      try {
        const until = performance.now() + milliseconds;
        do {
          const { value, done } = work.next();
          if (done) {
            channel.port1.close();
            resolve(value);
            return;
          }
          last = value;
        } while (performance.now() < until);
        heard(last);
        channel.port2.postMessage(null);
      } catch (error) {
        channel.port1.close();
        reject(error);
      }
    };
    channel.port2.postMessage(null);
  });
}
