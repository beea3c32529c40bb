"""The forge's workflows agree with the Makefile and with setup.py."""

import ast
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text())
    for path in (ROOT / '.github' / 'workflows').glob('*.yml')
}
SETUP = (ROOT / 'setup.py').read_text()


def test_every_target_that_a_workflow_makes_is_in_the_makefile():
    (targets,) = re.findall(r'^\.PHONY: (.*)$', (ROOT / 'Makefile').read_text(), re.M)
    jobs = [job for workflow in WORKFLOWS.values() for job in workflow['jobs'].values()]
    commands = [step.get('run', '') for job in jobs for step in job.get('steps', [])]
    lines = re.findall(r'^make (.*)$', '\n'.join(commands), re.M)
    made = {word for line in lines for word in re.sub(r'\w+=(\$\{\{.*?}}|\S+)', '', line).split()}
    assert {'colcon', 'dist', 'docs', 'lint', 'test', 'test-all', 'test-nightly'} <= made
    assert made <= set(targets.split())


def test_the_matrix_has_the_pythons_and_the_distributions_of_setup_py():
    jobs = WORKFLOWS['ci']['jobs']
    pip, apt = (jobs[name]['strategy']['matrix'] for name in ('pip', 'ros'))
    (oldest,) = re.findall(r"python_requires='>=(.*)'", SETUP)
    assert pip['python'][0] == oldest
    classified = re.findall(r"'Programming Language :: Python :: (3\.\d+)'", SETUP)
    assert classified in ([], pip['python'])
    (wheels,) = re.findall(r'^DISTRIBUTIONS = (\{.*?\})$', SETUP, re.M | re.S)
    distributions = set(ast.literal_eval(wheels))
    assert {each['ros'] for each in pip['where']} == {*distributions, 'none'}
    assert distributions < set(apt['ros'])
