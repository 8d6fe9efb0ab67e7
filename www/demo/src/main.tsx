import { render } from 'preact';
import { App } from './app';
import './style/base.css';
import './style/editor.css';
import './style/panels.css';

render(<App takeToken={takeToken} />, document.getElementById('app') as HTMLElement);

/** The service prints an address with its token in the fragment, which never leaves the browser; it is not to stay in sight. */
function takeToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  if (token) history.replaceState(null, '', location.pathname + location.search);
  return token;
}
