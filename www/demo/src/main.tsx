import { render } from 'preact';
import { App } from './app';
import './style/base.css';
import './style/editor.css';
import './style/panels.css';

render(<App takeToken={takeToken} />, document.getElementById('app') as HTMLElement);

/** Takes the token from the fragment of the address, which never leaves the browser, and removes it there. */
function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (token) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
