import { render } from 'preact';
import { App } from './app';
import './style/base.css';
import './style/editor.css';
import './style/panels.css';

render(<App />, document.getElementById('app') as HTMLElement);
