"""Any OpenAI-compatible server: vLLM, SGLang, llama.cpp, Ollama, TGI, hosted APIs."""
